import Foundation
import NATSNodes
import TestSupport

/// Uses of identifiers that nobody else has, in a process that can open no descriptor: prints how many of them are right.
@MainActor
enum IdentifierProbe {
    static func run(at address: String) throws {
        OpenDescriptors.prepareDispatch()
        let bus = NATSConnection(address)
        let stream = bus.stream("IDENTIFIERS")
        let service = bus.serve("echo", as: Int.self) { .just($0) }.subscribe()
        defer { service.dispose() }
        _ = try elements(of: stream.create().asObservable().map { _ in 0 })
        _ = try elements(of: bus.flush().andThen(.just(0)))

        try OpenDescriptors.limit(toSpare: 0)
        let others = [NATSConnection(address), NATSConnection(address)]
        let stored = try elements(of: Observable.from(0..<10).store(in: stream).filter { !$0.isDuplicate })
        try OpenDescriptors.unlimit()
        print("stored \(stored.count)")

        let answers = others.map { other in
            let node = other.requestNode("echo", Int.self, Int.self, timeout: .seconds(300))
            return Observable.from(0..<100).flatMap { number in node.stream(number).filter { $0 == number } }
        }
        print("answered \(try elements(of: Observable.merge(answers[0], answers[1].map { $0 + 100 })).count)")
    }

    private static func elements<Element: Sendable>(of stream: Observable<Element>) throws -> [Element] {
        let ended = DispatchSemaphore(value: 0)
        let outcome = Lock(Result<[Element], any Error>.success([]))
        let subscription = stream.toArray().subscribe(
            onNext: { elements in outcome.withLock { $0 = .success(elements) } },
            onError: { error in outcome.withLock { $0 = .failure(error) } }, onDisposed: { ended.signal() })
        defer { subscription.dispose() }
        ended.wait()
        return try outcome.withLock { $0 }.get()
    }
}
