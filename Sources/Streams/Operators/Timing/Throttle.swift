import Schedulers

extension ObservableType {
    /// Emits an element and then nothing for `dueTime`. With `latest`, the last skipped element is emitted on `scheduler` at the end of
    /// that time; without it, skipped elements are dropped.
    ///
    /// ```swift
    /// letters.throttle(.seconds(3), scheduler: scheduler)
    /// // -abc-----d|
    /// // -a--c----d|
    /// ```
    ///
    /// A trailing element whose timer is late is dropped when a newer one may be emitted immediately. Completion waits for a trailing
    /// element; an error drops it. Upstream is disposed at its terminal event. Stores one element. A `dueTime` that is not positive drops
    /// nothing.
    /// Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    @inlinable
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Observable<Element> {
        asObservable()._throttle(dueTime, latest: latest, scheduler) { _ in false }
    }
}

extension Observable {
    /// Throttles only the elements for which `passes` is false. Any other element is emitted immediately, and drops the pending one.
    @inlinable
    func _throttle(
        _ dueTime: Duration, latest: Bool, _ scheduler: any Scheduler, passing passes: @escaping @Sendable (Element) -> Bool
    ) -> Observable<Element> {
        let dueTime = dueTime.clamped
        return Observable { downstream, lifetime in
            let throttling = SerialOperator(
                (reopening: Duration?.none, trailing: Element?.none, isCompleted: false), emittingTo: downstream, in: lifetime)
            let timer = RestartableTimer(scheduler, in: throttling) { _ in
                guard let element = throttling.value.trailing.take() else { return }
                throttling.value.reopening = scheduler.now + dueTime
                throttling.downstream.onNext(element)
                if throttling.value.isCompleted, throttling.isAlive { throttling.downstream.onCompleted() }
            }
            throttling.subscribe(toOutlived: self) { throttling, event in
                switch consume event {
                case .next(let element) where passes(element):
                    throttling.value.trailing = nil
                    throttling.downstream.onNext(element)
                case .next(let element):
                    let now = scheduler.now
                    guard let reopening = throttling.value.reopening, now < reopening else {
                        // A trailing element whose timer is late is older than this one.
                        if throttling.value.trailing.take() != nil { timer.stop() }
                        throttling.value.reopening = now + dueTime
                        return throttling.downstream.onNext(element)
                    }
                    guard latest else { return }
                    if throttling.value.trailing == nil { timer.start(after: reopening - now, from: now) }
                    throttling.value.trailing = element
                case .error(let error):
                    throttling.value.trailing = nil
                    throttling.downstream.onError(error)
                case .completed:
                    throttling.value.isCompleted = true
                    if throttling.value.trailing == nil { throttling.downstream.onCompleted() }
                }
            }
        }
    }
}
