import Dispatch
import Streams

/// The rows to compare the others with: the same work without a stream, and a stream that is not compiled as a whole.
enum BaselineCases {
    static var all: [Case] {
        [
            Case(name: "hand-written loop, one element", operations: 1_000_000, prepare: loop),
            Case(name: "bare closure, one call", prepare: closure),
            Case(
                name: "range, map, filter, scan, built elsewhere, one element", operations: 1_000_000, deliveries: 0.5,
                prepare: builtElsewhere),
            Case(name: "AsyncStream, one element", prepare: asyncStream),
            Case(name: "DispatchQueue.async, one block", prepare: dispatchQueue),
        ]
    }

    private static func loop(_ sink: Sink) -> Case.Workload {
        { count in
            for index in 0..<count { sink.take((index &+ 1) ^ 3) }
        }
    }

    private static func closure(_ sink: Sink) -> Case.Workload {
        let handler: (Int) -> Void = opaque { value in sink.take(value) }
        return { count in
            for index in 0..<count { handler(index) }
        }
    }

    /// The chain of the row without "built elsewhere", which the optimizer cannot see through where it is subscribed to.
    private static func builtElsewhere(_ sink: Sink) -> Case.Workload {
        { count in
            _ = opaque(Observable.range(start: 0, count: count).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 })
                .subscribe(onNext: { sink.take($0) })
        }
    }

    private static func asyncStream(_ sink: Sink) -> Case.Workload {
        { count in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let isDone = DispatchSemaphore(value: 0)
            Task {
                for await element in stream { sink.take(element) }
                isDone.signal()
            }
            for index in 0..<count { continuation.yield(index) }
            continuation.finish()
            isDone.wait()
        }
    }

    private static func dispatchQueue(_ sink: Sink) -> Case.Workload {
        let queue = DispatchQueue(label: "benchmarks.baseline")
        return { count in
            for index in 0..<count {
                queue.async { sink.take(index) }
            }
            queue.sync {}
        }
    }
}
