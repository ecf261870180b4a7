import Dispatch
import Streams

/// Timers: on a queue, where the system's share is the largest, and under virtual time, where all of it is the library's.
enum TimerCases {
    private static let millisecond = Duration.milliseconds(1)

    static var all: [Case] {
        [
            Case(
                name: "interval of a millisecond on a queue, processor time of a tick, in raw Dispatch timers", limit: 1,
                unit: Case.Unit(clock: .processor, prepare: rawTimer), operations: 50, prepare: interval),
            Case(name: "delay of a millisecond on a queue, burst of 100,000, one element", limit: 25, operations: 100_000, prepare: delay),
            Case(name: "delay under virtual time, one element", limit: 15, prepare: virtualDelay),
            Case(name: "interval under virtual time, one tick", limit: 12, prepare: virtualInterval),
            Case(name: "debounce under virtual time, a push and a millisecond", limit: 12, prepare: virtualDebounce),
            Case(name: "buffer(timeSpan:count:) under virtual time, one element", limit: 4, deliveries: 0.01) { sink in
                buffer(VirtualTimeScheduler(), sink)
            },
            Case(name: "buffer(timeSpan:count:) on a queue, one element", limit: 5, deliveries: 0.01) { sink in
                buffer(SerialDispatchQueueScheduler(), sink)
            },
        ]
    }

    private static func interval(_ sink: Sink) -> Case.Workload {
        let scheduler = SerialDispatchQueueScheduler()
        return { count in
            let isDone = DispatchSemaphore(value: 0)
            let subscription = Observable<Int>.interval(millisecond, scheduler: scheduler).subscribe(onNext: { tick in
                guard tick < count else { return }
                sink.take(tick)
                if tick == count - 1 { isDone.signal() }
            })
            isDone.wait()
            subscription.dispose()
        }
    }

    /// The price that every library has to pay: one repeating timer of Dispatch.
    private static func rawTimer(_ sink: Sink) -> Case.Workload {
        let queue = DispatchQueue(label: "benchmarks.timer")
        return { count in
            let isDone = DispatchSemaphore(value: 0)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            nonisolated(unsafe) var tick = 0
            timer.setEventHandler {
                guard tick < count else { return }
                sink.take(tick)
                tick += 1
                if tick == count { isDone.signal() }
            }
            timer.schedule(deadline: .now() + .milliseconds(1), repeating: .milliseconds(1))
            timer.activate()
            isDone.wait()
            timer.cancel()
        }
    }

    private static func delay(_ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        let isDone = DispatchSemaphore(value: 0)
        _ = subject.delay(millisecond, scheduler: SerialDispatchQueueScheduler()).subscribe(onNext: { element in
            sink.take(element)
            if element == 0 { isDone.signal() }
        })
        return { count in
            for index in (0..<count).reversed() { subject.onNext(index) }
            isDone.wait()
        }
    }

    private static func virtualDelay(_ sink: Sink) -> Case.Workload {
        let scheduler = VirtualTimeScheduler()
        let subject = PublishSubject<Int>()
        _ = subject.delay(millisecond, scheduler: scheduler).subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count {
                subject.onNext(index)
                scheduler.advance(by: millisecond)
            }
        }
    }

    private static func virtualInterval(_ sink: Sink) -> Case.Workload {
        let scheduler = VirtualTimeScheduler()
        _ = Observable<Int>.interval(millisecond, scheduler: scheduler).subscribe(onNext: { sink.take($0) })
        return { count in scheduler.advance(by: millisecond * count) }
    }

    private static func virtualDebounce(_ sink: Sink) -> Case.Workload {
        let scheduler = VirtualTimeScheduler()
        let subject = PublishSubject<Int>()
        _ = subject.debounce(millisecond, scheduler: scheduler).subscribe(onNext: { sink.take($0) })
        return { count in
            for index in 0..<count {
                subject.onNext(index)
                scheduler.advance(by: millisecond)
            }
        }
    }

    private static func buffer(_ scheduler: some Scheduler, _ sink: Sink) -> Case.Workload {
        let subject = PublishSubject<Int>()
        _ = subject.buffer(timeSpan: .seconds(5), count: 100, scheduler: scheduler).subscribe(onNext: { sink.take($0.count) })
        return { count in
            for index in 0..<count { subject.onNext(index) }
        }
    }
}
