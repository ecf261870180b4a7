import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("A service that answers probes on a socket", .countsResources, .blocksThread)
struct HealthSocketTests {
    private let place: Workplace
    private let health = ServiceHealth()

    init() throws {
        place = try Workplace()
    }

    private func answer(at socket: URL, _ probe: ServiceHealth.Probe = .readiness) -> (report: ServiceHealth.Report?, error: (any Error)?) {
        let outcome = ServiceHealth.ask(probe, at: socket, within: bound).ended()
        return (outcome.elements.first, outcome.error)
    }

    /// Answers until the returned disposable is disposed.
    private func serve(_ socket: URL) throws -> any Disposable {
        let subscription = health.answer(on: socket).subscribe(onError: { Issue.record($0) })
        try #require(comesTrue { answer(at: socket).error == nil })
        return subscription
    }

    /// Connects as a client of another program does.
    private static func connected(to socket: URL) throws -> Descriptor {
        let client = try Descriptor.localSocket()
        try #require(LocalSocket.connect(client.number, to: socket.path))
        return client
    }

    /// Everything that the other end sends.
    private static func text(_ client: Descriptor) throws -> String {
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 100))
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try client.read(into: $0) }) { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    private func failure(at socket: URL) -> SystemSourceError? {
        health.answer(on: socket).ended().error as? SystemSourceError
    }

    @Test func `Each probe gets its answer as it is at that moment, and the socket goes with the subscription`() throws {
        let socket = place.url("health")
        let check = health.check("quotes", for: .liveness)
        let subscription = try serve(socket)
        #expect(answer(at: socket, .liveness).report == ServiceHealth.Report(probe: .liveness, problems: []))
        check.on(.next(false))
        health.check("queue").on(.next(false))
        #expect(answer(at: socket, .liveness).report == ServiceHealth.Report(probe: .liveness, problems: ["quotes: it is not so"]))
        #expect(answer(at: socket).report?.problems == ["quotes: it is not so", "queue: it is not so"])
        #expect(try Self.text(Self.connected(to: socket)) == health.answers)
        let mode = try FileManager.default.attributesOfItem(atPath: socket.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        subscription.dispose()
        #expect(!FileManager.default.fileExists(atPath: socket.path))
        let again = try serve(socket)
        again.dispose()
    }

    @Test func `Many probes at once are answered, also while others say nothing and read nothing`() throws {
        let socket = place.url("health")
        let subscription = try serve(socket)
        let silent = try (0..<50).map { _ in try Self.connected(to: socket) }
        let probes = (0..<40).map { _ in ServiceHealth.ask(.readiness, at: socket, within: bound).asObservable() }
        let reports = Observable.merge(probes).ended()
        #expect(reports.error == nil)
        #expect(reports.elements.map(\.isHealthy) == Array(repeating: true, count: 40))
        // A client that asks in words gets the same answer.
        let talking = try Self.connected(to: socket)
        LocalSocket.send(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: talking.number)
        #expect(answer(at: socket).report?.isHealthy == true)
        #expect(try Self.text(silent[0]) == "alive\nready\n")
        subscription.dispose()
    }

    @Test func `A socket that a process has left is replaced, and one that answers is not`() throws {
        let socket = place.url("health")
        let left = try Descriptor.localSocket()
        try #require(LocalSocket.bind(left.number, to: socket.path))
        let subscription = try serve(socket)
        #expect(failure(at: socket) == .failed(operation: "bind", path: socket.path, code: EADDRINUSE))
        #expect(answer(at: socket).report?.isHealthy == true)
        subscription.dispose()
    }

    @Test func `What is no socket stays, and each path that cannot be is a typed error`() throws {
        let file = try place.write("file", "content")
        #expect(failure(at: file) == .failed(operation: "bind", path: file.path, code: EADDRINUSE))
        #expect(try String(contentsOf: file, encoding: .utf8) == "content")
        #expect(failure(at: place.url("missing/health")) == .notFound(path: place.url("missing").path))
        let long = place.url(String(repeating: "x", count: 108))
        #expect(failure(at: long) == .failed(operation: "bind", path: long.path, code: ENAMETOOLONG))
        #expect(answer(at: long).error as? SystemSourceError == .failed(operation: "connect", path: long.path, code: ENAMETOOLONG))
        #expect(answer(at: place.url("missing")).error as? SystemSourceError == .notFound(path: place.url("missing").path))
    }

    @Test func `A service that hangs or has ended is a typed error, in time`() throws {
        let socket = place.url("health")
        let mute = try Descriptor.localSocket()
        try #require(LocalSocket.bind(mute.number, to: socket.path))
        #expect(answer(at: socket).error as? SystemSourceError == .failed(operation: "connect", path: socket.path, code: ECONNREFUSED))
        try #require(listen(mute.number, 0) == 0)
        // The first ones connect and get no answer, the others find no room in the queue.
        for _ in 0..<3 {
            let scheduler = VirtualTimeScheduler()
            let error = Lock<(any Error)?>(nil)
            let subscription = ServiceHealth.ask(.liveness, at: socket, within: .seconds(1), scheduler: scheduler)
                .subscribe(onFailure: { failure in error.withLock { $0 = failure } })
            scheduler.advance(by: .milliseconds(999))
            #expect(error.withLock { $0 } == nil)
            scheduler.advance(by: .milliseconds(1))
            #expect(error.withLock { $0 } as? StreamError == .timeout(after: .seconds(1)))
            subscription.dispose()
        }
    }

    @Test(.startsChild) func `Without a free descriptor a probe is answered all the same`() async {
        await #expect(processExitsWith: .success) {
            let place = try Workplace()
            let socket = place.url("health")
            let subscription = ServiceHealth().answer(on: socket).subscribe()
            try #require(comesTrue { ServiceHealth.ask(.liveness, at: socket, within: bound).ended().error == nil })
            let clients = try (0..<20).map { _ in try Descriptor.localSocket() }
            try OpenDescriptors.limit(toSpare: 1)
            var others: [Descriptor] = []
            while let other = try? Descriptor.localSocket() { others.append(other) }
            var answers: [String] = []
            for client in clients {
                _ = LocalSocket.connect(client.number, to: socket.path)
                answers.append(try Self.text(client))
            }
            try OpenDescriptors.unlimit()
            #expect(answers == Array(repeating: "alive\nready\n", count: 20))
            #expect(!others.isEmpty)
            subscription.dispose()
        }
    }
}
