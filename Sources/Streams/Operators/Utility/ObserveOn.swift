import Dispatch
import Schedulers

extension ObservableType {
    /// Sends all events on `scheduler`, in their order; errors and completion keep their place in line.
    ///
    /// ```swift
    /// numbers.observe(on: MainScheduler.instance)
    /// // --1--2--#
    /// // --1--2--#
    /// ```
    ///
    /// A burst crosses to the scheduler in one hop. What waits is kept without bound; upstream is let go at its terminal event.
    /// Source: [ReactiveX, ObserveOn](https://reactivex.io/documentation/operators/observeon.html).
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let handover = Handover(to: scheduler, parent: lifetime) { (event: Event<Element>) in downstream.on(event) }
            guard handover.attach() else { return }
            let upstream = lifetime.child()
            start(
                AnyObserver { event in
                    guard event.isStopEvent ? upstream.end() : !upstream.isDisposed else { return }
                    handover.send(event)
                }, upstream)
        }
    }

    /// Sends all events on `queue`, serially also where the queue is concurrent; otherwise as ``observe(on:)``.
    @inlinable
    public func observe(on queue: DispatchQueue) -> Observable<Element> {
        observe(on: ConcurrentDispatchQueueScheduler(queue: queue))
    }

    /// Subscribes upstream on `scheduler`; events come where upstream sends them.
    ///
    /// ```swift
    /// numbers.subscribe(on: scheduler)
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, SubscribeOn](https://reactivex.io/documentation/operators/subscribeon.html).
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            DelayedStart.plan(in: lifetime, on: scheduler) { source.startLast(downstream, lifetime) }
        }
    }

    /// Subscribes upstream on `queue`; otherwise as ``subscribe(on:)``.
    public func subscribe(on queue: DispatchQueue) -> Observable<Element> {
        subscribe(on: ConcurrentDispatchQueueScheduler(queue: queue))
    }
}
