import Schedulers

extension ObservableType {
    /// Emits the latest element `dueTime` after the first one received since the last emission, on `scheduler`.
    ///
    /// ```swift
    /// numbers.audit(.seconds(3), scheduler: scheduler)
    /// // -1-2-3----4---|
    /// // ----2---3----4|
    /// ```
    ///
    /// Completion waits for a pending element; an error drops it. Upstream is disposed at its terminal event. Stores one element.
    /// Source: [RxJS, audit](https://rxjs.dev/api/operators/auditTime).
    @inlinable
    public func audit(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let (source, dueTime) = (asObservable(), dueTime.clamped)
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let state = SerialState((waiting: Element?.none, isDone: false))
            let timer = RestartableTimer(scheduler, in: serializer) { _ in
                guard let due = state.value.waiting.take() else { return }
                downstream.onNext(due)
                if state.value.isDone, !lifetime.isDisposed { downstream.onCompleted() }
            }
            serializer.subscribe(to: source, in: serializer.gate) { event in
                switch event {
                case .next(let element):
                    if state.value.waiting == nil { timer.start(after: dueTime) }
                    state.value.waiting = element
                case .error(let error): downstream.onError(error)
                case .completed:
                    state.value.isDone = true
                    if state.value.waiting == nil { downstream.onCompleted() }
                }
            }
        }
    }
}
