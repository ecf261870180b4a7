import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("mapAsync", .countsResources) struct MapAsyncTests {
    @Test func `mapAsync keeps the order and runs one task at a time`() async throws {
        let log = Output()
        let results = try await Observable.of(3, 1, 2).mapAsync { value in
            log.print("begin \(value)")
            for _ in 0..<value { await Task.yield() }
            log.print("end \(value)")
            return value
        }.array()
        #expect(results == [3, 1, 2])
        #expect(log.lines == ["begin 3", "end 3", "begin 1", "end 1", "begin 2", "end 2"])
    }

    @Test func `flatMapAsync runs as many at once as allowed`() async throws {
        let running = Lock((now: 0, most: 0))
        let results = try await Observable.range(start: 0, count: 12).flatMapAsync(maxConcurrent: 3) { value in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<10 { await Task.yield() }
            running.withLock { $0.now -= 1 }
            return value
        }.array()
        #expect(results.sorted() == Array(0..<12))
        #expect(running.withLock { $0.most } <= 3)
    }

    @Test func `mapAsync keeps the priority of the subscriber, wherever the elements are emitted`() async throws {
        let background = SerialDispatchQueueScheduler(qos: .background)
        let seen = try await Task(priority: .high) {
            try await Observable.of(1, 2).observe(on: background).mapAsync { _ in Task.basePriority }.array()
        }.value
        #expect(seen == [.high, .high])
        let given = try await Observable.of(1).flatMapAsync(priority: .low) { _ in Task.basePriority }.array()
        #expect(given == [.low])
    }
}
