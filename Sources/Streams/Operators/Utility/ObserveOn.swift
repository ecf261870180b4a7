import Dispatch
import Schedulers

extension ObservableType {
    /// Delivers all events on `scheduler`, in order, including terminal events.
    ///
    /// ```swift
    /// numbers.observe(on: MainScheduler.instance)
    /// // --1--2--#
    /// // --1--2--#
    /// ```
    ///
    /// A burst is dispatched to the scheduler once. The queue is unbounded; upstream is disposed at its terminal event.
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
                    guard upstream.admits(event) else { return }
                    handover.send(event)
                }, upstream)
        }
    }

    /// Delivers all events on `queue`, serially even if the queue is concurrent; otherwise like ``observe(on:)``.
    @inlinable
    public func observe(on queue: DispatchQueue) -> Observable<Element> {
        observe(on: ConcurrentDispatchQueueScheduler(queue: queue))
    }

    /// Subscribes upstream on `scheduler`; events are delivered where upstream emits them.
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

    /// Subscribes upstream on `queue`; otherwise like ``subscribe(on:)``.
    public func subscribe(on queue: DispatchQueue) -> Observable<Element> {
        subscribe(on: ConcurrentDispatchQueueScheduler(queue: queue))
    }
}
