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
    /// A burst is dispatched to the scheduler once. The source is suspended while 4,096 elements are queued. A source that cannot be
    /// suspended, such as a subject, is buffered without bound. Upstream is disposed at its terminal event. Source: [ReactiveX,
    /// ObserveOn](https://reactivex.io/documentation/operators/observeon.html).
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        observe(on: scheduler, overflow: .suspend(capacity: 4_096))
    }

    /// Delivers all events on `scheduler`, as ``observe(on:)-(Scheduler)``, and buffers as many elements there as `policy` allows.
    ///
    /// ```swift
    /// numbers.observe(on: scheduler, overflow: .latest)
    /// // -1-2-3-|
    /// // -1-2-3-|        a slow consumer would get the latest only
    /// ```
    ///
    /// The terminal event is delivered after the buffered elements. With a policy other than `unbounded` an element counts until its
    /// delivery begins.
    /// Source: [RxJava, onBackpressureBuffer](https://reactivex.io/documentation/operators/backpressure.html).
    @inlinable
    public func observe(on scheduler: any Scheduler, overflow policy: BufferingPolicy) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            source.start(queueing: policy, on: scheduler, in: lifetime, followsDownstream: false, downstream)
        }
    }

    /// Delivers all events on `queue`, serially even if the queue is concurrent; otherwise like ``observe(on:)-(Scheduler)``.
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
    @inlinable
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let upstream = lifetime.resuming(on: scheduler)
            ScheduledStart.plan(in: upstream, on: scheduler) { source.startLast(downstream, upstream) }
        }
    }

    /// Subscribes upstream on `queue`; otherwise like ``subscribe(on:)``.
    @inlinable
    public func subscribe(on queue: DispatchQueue) -> Observable<Element> {
        subscribe(on: ConcurrentDispatchQueueScheduler(queue: queue))
    }
}
