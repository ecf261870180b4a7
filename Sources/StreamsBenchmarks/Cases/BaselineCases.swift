import Dispatch

/// The same work without a stream: what the rows are to be compared with.
enum BaselineCases {
    static var all: [Case] {
        [
            Case(name: "hand-written loop, one element", operations: 1_000_000, prepare: loop),
            Case(name: "bare closure, one call", prepare: closure),
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
