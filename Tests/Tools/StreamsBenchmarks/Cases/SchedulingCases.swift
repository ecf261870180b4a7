import Dispatch
import Streams

/// The costs of changing threads and of waiting.
enum SchedulingCases {
    private static let pendingTimers = 100_000

    static var all: [Case] {
        [
            Case(name: "observe(on:) a serial queue, burst of 100,000, one element", limit: 6, operations: 100_000, prepare: observeOn),
            Case(name: "values in a for await on another thread, one element", limit: 10, operations: 100_000, prepare: values),
            Case(
                name: "flatMap(maxConcurrent: 4) to just on a serial queue, one element", limit: 150, operations: 100_000,
                prepare: limitedFlatMap),
            Case(name: "timer armed and cancelled, 100,000 pending", limit: 50, deliveries: 0) { _ in
                armAndCancel(pending: pendingTimers)
            },
            Case(name: "virtual time, one scheduled event", limit: 14, operations: 10_000, prepare: virtualTime(pending: 1_000)),
        ]
    }

    private static func observeOn(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let isDone = DispatchSemaphore(value: 0)
        _ = subject.observe(on: SerialDispatchQueueScheduler()).subscribe(onNext: { element in
            sink.take(element)
            if element == 0 { isDone.signal() }
        })
        return { count in
            for index in (0..<count).reversed() { subject.onNext(index) }
            isDone.wait()
        }
    }

    private static func values(_ sink: Sink) -> Case.Workload {
        { count in
            let subject = PublishSubject<Int>()
            let isListening = DispatchSemaphore(value: 0)
            let isDone = DispatchSemaphore(value: 0)
            Task {
                let elements = subject.values
                var iterator = elements.makeAsyncIterator()
                isListening.signal()
                while let element = try await iterator.next() { sink.take(element) }
                isDone.signal()
            }
            isListening.wait()
            for index in 0..<count { subject.onNext(index) }
            subject.onCompleted()
            isDone.wait()
        }
    }

    private static func limitedFlatMap(_ sink: Sink) -> Case.Workload {
        let queue = SerialDispatchQueueScheduler()
        return { count in
            let isDone = DispatchSemaphore(value: 0)
            _ = Observable.range(start: 0, count: count).flatMap(maxConcurrent: 4) { Observable.just($0, scheduler: queue) }
                .subscribe(onNext: { sink.take($0) }, onCompleted: { isDone.signal() })
            isDone.wait()
        }
    }

    static func armAndCancel(pending: Int) -> Case.Workload {
        let scheduler = SerialDispatchQueueScheduler()
        let timers = (0..<pending).map { index in
            scheduler.schedule(after: .seconds(3_600 + index * 7_919 % 3_600)) {}
        }
        let bag = DisposeBag()
        bag.insert(timers)
        return { count in
            for index in 0..<count {
                scheduler.schedule(after: .seconds(3_600 + index * 6_007 % 3_600)) { withExtendedLifetime(bag) {} }.dispose()
            }
        }
    }

    /// So many events at a time lie on one scheduler, in no order.
    static func virtualTime(pending: Int) -> (Sink) -> Case.Workload {
        { sink in
            { count in
                for _ in 0..<count / pending {
                    let scheduler = VirtualTimeScheduler()
                    for index in 0..<pending {
                        _ = scheduler.schedule(after: .milliseconds(index &* 7_919 % 10_007)) { sink.take(index) }
                    }
                    scheduler.run()
                }
            }
        }
    }
}
