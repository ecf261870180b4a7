import StreamsTesting
import Testing

@testable import Streams

@Suite("Elements on demand", .countsResources)
struct DemandQueueTests {
    /// The elements that a consumer has received.
    private final class Log: Sendable {
        private let texts = Output()

        var all: [String] { texts.lines }

        func add(_ text: String) {
            texts.print(text)
        }
    }

    private let source = PublishSubject<Int>()
    private let received = Log()

    /// A queue whose consumer demands `further` elements with each that it receives.
    private func queue(_ policy: BufferingPolicy = .unbounded, further: Int = 0) -> DemandQueue<Int> {
        let queue = DemandQueue<Int>(policy) { [received] event in
            received.add("\(event)")
            return event.isStopEvent ? 0 : further
        }
        queue.subscribe(to: source.asObservable())
        return queue
    }

    private var log: [String] { received.all }

    @Test func `A subscriber receives no more elements than it has demanded, and the others with its next demand`() {
        let queue = queue()
        queue.request(1)
        for element in 1...4 { source.onNext(element) }
        #expect(log == ["next(1)"])
        queue.request(2)
        #expect(log == ["next(1)", "next(2)", "next(3)"])
        queue.cancel()
    }

    @Test func `A subscriber receives the completion without demand, after the buffered elements`() {
        let queue = queue()
        source.onNext(1)
        source.onCompleted()
        #expect(log == [])
        queue.request(1)
        #expect(log == ["next(1)", "completed"])
        _ = self.queue()
        #expect(log.last == "completed" && log.count == 3)
    }

    @Test(arguments: [(1, 1), (.max, 0), (.max, .max)]) func `A subscriber may demand more with each element, and without limit`(
        first: Int, then: Int
    ) {
        let queue = queue(further: then)
        for element in 1...3 { source.onNext(element) }
        queue.request(first)
        source.onNext(4)
        #expect(log == (1...4).map { "next(\($0))" })
        queue.cancel()
    }

    @Test func `A subscriber that demands and emits while it receives gets the elements in order, one inside none`() {
        let depth = Tally()
        let deepest = Lock(0)
        let queue = Lock<DemandQueue<Int>?>(nil)
        let made = DemandQueue<Int>(.unbounded) { [source, received] event in
            guard let element = event.element else { return 0 }
            let inside = depth.add()
            deepest.withLock { $0 = max($0, inside) }
            if element < 5 { source.onNext(element + 1) }
            queue.withLock { $0 }?.request(1)
            received.add("\(element)")
            depth.add(-1)
            return 0
        }
        queue.withLock { $0 = made }
        made.subscribe(to: source.asObservable())
        made.request(1)
        source.onNext(1)
        #expect(log == ["1", "2", "3", "4", "5"])
        #expect(deepest.withLock { $0 } == 1)
        made.cancel()
        queue.withLock { $0 = nil }
    }

    @Test func `A subscriber fails if its policy says so, after the elements that it has buffered, and disposes upstream`() {
        let queue = queue(.fail(capacity: 2))
        for element in 1...3 { source.onNext(element) }
        #expect(!source.hasObservers)
        queue.request(9)
        #expect(log == ["next(1)", "next(2)", "error(\(StreamError.overflow(capacity: 2)))"])
    }

    @Test func `A subscriber receives nothing after it has cancelled, neither elements nor what was buffered`() {
        let queue = queue()
        source.onNext(1)
        queue.cancel()
        #expect(!source.hasObservers)
        queue.request(9)
        #expect(log == [])
    }
}
