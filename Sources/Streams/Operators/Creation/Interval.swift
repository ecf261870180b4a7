import Schedulers

extension Observable where Element: FixedWidthInteger {
    /// Emits 0, 1, 2... on `scheduler`, the first after one `period`, without drift.
    ///
    /// ```swift
    /// Observable<Int>.interval(.seconds(2), scheduler: scheduler).take(3)
    /// // --0-1-(2|)
    /// ```
    ///
    /// Never terminates; the timer is cancelled with the subscription. Ticks are skipped while the consumer is suspended: the next number
    /// tells how many were skipped. Source: [ReactiveX, Interval](https://reactivex.io/documentation/operators/interval.html).
    @inlinable
    public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }

    /// Emits 0 on `scheduler` after `dueTime`, and then 1, 2... once every `period`; without a period it completes after the first.
    ///
    /// ```swift
    /// Observable<Int>.timer(.seconds(3), scheduler: scheduler)
    /// // ---(0|)
    /// ```
    ///
    /// The timer is cancelled with the subscription. Without a period it is not suspended with the consumer, so a deadline passes on time.
    /// With a period it skips ticks, like ``interval(_:scheduler:)``. Source: [ReactiveX,
    /// Timer](https://reactivex.io/documentation/operators/timer.html).
    @inlinable
    public static func timer(_ dueTime: Duration, period: Duration? = nil, scheduler: any Scheduler) -> Observable<Element> {
        guard let period else { return after(dueTime, scheduler: scheduler) }
        return Observable { downstream, lifetime in
            let next = SerialState<Element>(0)
            let timer = ProbedTimer(on: scheduler)
            timer.start(after: dueTime)
            let schedule = PeriodicSchedule(period: period, scheduler: scheduler) {
                guard !lifetime.isDisposed else { return }
                timer.start(after: period)
                let current = next.value
                next.value &+= 1
                if !lifetime.isSuspended { downstream.onNext(current) }
            }
            lifetime.add(schedule)
            schedule.start(after: dueTime)
        }
    }

    @inlinable
    static func after(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        Observable { downstream, lifetime in
            ScheduledStart.plan(in: lifetime, on: scheduler, after: dueTime, parks: false) { downstream.finish(with: 0, in: lifetime) }
        }
    }

    /// Emits `count` ascending integers from `start` on `scheduler`, the first after `initialDelay` and each further one a `period` later,
    /// and completes with the last. Completes immediately if `count` is below 1.
    ///
    /// ```swift
    /// Observable.intervalRange(start: 5, count: 3, initialDelay: .seconds(1), period: .seconds(2), scheduler: scheduler)
    /// // -5-6-(7|)
    /// ```
    ///
    /// Source: [RxJava, intervalRange](https://reactivex.io/documentation/operators/interval.html).
    @inlinable
    public static func intervalRange(
        start: Element, count: Int, initialDelay: Duration, period: Duration, scheduler: any Scheduler
    ) -> Observable<Element> {
        timer(initialDelay, period: period, scheduler: scheduler).take(count).map { start &+ $0 }
    }
}
