import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// A thousand requests at once against a real server, by one process that has both ends of each connection.
@Suite("Access under load", .countsResources, .stopsServers, .blocksThread)
struct AccessLoadTests {
    private static let count = isSanitized ? 200 : 1000

    @Test func `A thousand concurrent rejections lead to one refresh and a thousand responses`() throws {
        let service = try AccessService()
        service.gate.expire()
        let all = service.statuses(Self.count).ended()
        #expect(all.elements == Array(repeating: 0, count: Self.count))
        #expect(service.gate.counts.refreshes == 1)
        #expect(service.gate.counts.accepted == Self.count)
        #expect(service.gate.counts.rejected > 0)
    }

    @Test func `Rejections after the refresh start no other`() throws {
        let late = Set(stride(from: 2, through: 200, by: 2))
        let service = try AccessService(delay: .zero, connections: 200) { route in
            route.with(.delay(.milliseconds(100)), onCalls: Set(1...200)).with(.delay(.milliseconds(300)), onCalls: late)
        }
        service.gate.expire()
        let start = ContinuousClock.now
        let all = service.statuses(Self.count).ended()
        #expect(ContinuousClock.now - start >= .milliseconds(400))
        #expect(all.elements == Array(repeating: 0, count: Self.count))
        #expect(service.gate.counts.refreshes == 1)
        #expect(service.gate.counts.rejected >= 10)
    }

    @Test func `A failed refresh fails a thousand requests, and none keeps waiting`() throws {
        let service = try AccessService()
        service.gate.expire()
        service.gate.failRefreshes(with: 503)
        let all = service.statuses(Self.count).ended()
        #expect(all.elements == Array(repeating: 503, count: Self.count))
        #expect(service.gate.counts.refreshes == 0)
        service.gate.failRefreshes(with: nil)
        #expect(service.statuses(1).ended().elements == [0])
    }

    @Test(arguments: [1, 2, 3]) func `Disposing waiting requests affects no others`(seed: UInt64) throws {
        let areDisposed = AsyncSubject<Void>()
        let service = try AccessService(until: areDisposed.asObservable())
        service.gate.expire()
        let refreshing = service.server.arrival(at: "/token/refresh")
        var generator = SeededGenerator(seed: seed)
        let answers = PublishSubject<Int>()
        let kept = answers.take(Self.count / 2).toArray().asObservable()
        let result = Slot<[Int]>()
        let collecting = kept.subscribe { event in if let element = event.element { result.fill(element) } }
        let waiting = (0..<Self.count).map { number in
            service.me.stream().convertedError().subscribe { event in
                if case .next(let status) = event { answers.onNext(number * 1000 + status) }
            }
        }
        #expect(refreshing.wait() == true)
        let disposed = Set((0..<Self.count).shuffled(using: &generator).prefix(Self.count / 2))
        for number in disposed { waiting[number].dispose() }
        areDisposed.onNext(())
        areDisposed.onCompleted()
        let expected = (0..<Self.count).filter { !disposed.contains($0) }.map { $0 * 1000 }
        #expect(result.wait()?.sorted() == expected)
        #expect(service.gate.counts.refreshes == 1)
        for subscription in waiting + [collecting] { subscription.dispose() }
    }

    @Test func `A token that expires again in the middle is refreshed again, once`() throws {
        let service = try AccessService()
        service.gate.expire()
        let answered = Counter()
        let all = Observable.from((0..<Self.count).map { _ in service.me.stream().convertedError() }).merge(maxConcurrent: 32)
            .do(onNext: { _ in
                answered.increment()
                if answered.value == Self.count / 2 { service.gate.expire() }
            }).ended()
        #expect(all.elements == Array(repeating: 0, count: Self.count))
        #expect(service.gate.counts.refreshes == 2)
        #expect(service.gate.counts.accepted == Self.count)
    }
}
