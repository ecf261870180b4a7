import Schedulers

extension ObservableType {
    /// Sends an element when nothing came after it for `dueTime`, on `scheduler`; a waiting element is sent when upstream completes,
    /// and dropped when it fails.
    ///
    /// ```swift
    /// letters.debounce(.seconds(2), scheduler: scheduler)
    /// // -ab---c---d|
    /// // ----b---c--(d|)
    /// ```
    ///
    /// Timer and upstream are let go at the end. Keeps one element and one timer.
    /// Source: [ReactiveX, Debounce](https://reactivex.io/documentation/operators/debounce.html).
    @inlinable
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        asObservable()._debounce(dueTime, scheduler) { _ in false }
    }
}

extension Observable {
    /// An element that `passes` is emitted at once, and drops what waits.
    @inlinable
    func _debounce(
        _ dueTime: Duration, _ scheduler: any Scheduler, passing passes: @escaping @Sendable (Element) -> Bool
    ) -> Observable<Element> {
        let (start, dueTime) = (start, dueTime.clamped)
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let waiting = SerialState<Element?>(nil)
            let timer = RestartableTimer(scheduler, in: serializer) {
                if let due = waiting.value.take() { downstream.onNext(due) }
            }
            let observer = serializer.observer { (event: consuming Event<Element>) in
                switch consume event {
                case .next(let element) where passes(element):
                    waiting.value = nil
                    downstream.onNext(element)
                case .next(let element):
                    waiting.value = element
                    timer.start(after: dueTime)
                case .error(let error):
                    waiting.value = nil
                    downstream.onError(error)
                case .completed:
                    if let last = waiting.value.take() { downstream.onNext(last) }
                    if !lifetime.isDisposed { downstream.onCompleted() }
                }
            }
            start(observer, lifetime)
        }
    }
}
