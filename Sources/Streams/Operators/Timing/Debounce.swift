import Schedulers

extension ObservableType {
    /// Emits an element on `scheduler` when no other has followed it for `dueTime`. A pending element is emitted when upstream completes,
    /// and dropped when it fails.
    ///
    /// ```swift
    /// letters.debounce(.seconds(2), scheduler: scheduler)
    /// // -ab---c---d|
    /// // ----b---c--(d|)
    /// ```
    ///
    /// Timer and upstream are disposed on termination. Stores one element. An element that arrives while the timer runs schedules no other
    /// timer. Source: [ReactiveX, Debounce](https://reactivex.io/documentation/operators/debounce.html).
    @inlinable
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        asObservable()._debounce(dueTime, scheduler) { _ in false }
    }
}

extension Observable {
    /// Holds back only the elements for which `passes` is false. Any other element is emitted immediately, and drops the pending one.
    @inlinable
    func _debounce(
        _ dueTime: Duration, _ scheduler: any Scheduler, passing passes: @escaping @Sendable (Element) -> Bool
    ) -> Observable<Element> {
        let dueTime = dueTime.clamped
        return Observable { downstream, lifetime in
            let waiting = SerialOperator(Element?.none, emittingTo: downstream, in: lifetime)
            let timer = RestartableTimer(scheduler, in: waiting) { _ in
                if let due = waiting.value.take() { waiting.downstream.onNext(due) }
            }
            waiting.subscribe(toMain: self) { waiting, event in
                switch consume event {
                case .next(let element) where passes(element):
                    waiting.value = nil
                    waiting.downstream.onNext(element)
                case .next(let element):
                    waiting.value = element
                    timer.start(after: dueTime)
                case .error(let error):
                    waiting.value = nil
                    waiting.downstream.onError(error)
                case .completed:
                    if let last = waiting.value.take() { waiting.downstream.onNext(last) }
                    if waiting.isAlive { waiting.downstream.onCompleted() }
                }
            }
        }
    }
}
