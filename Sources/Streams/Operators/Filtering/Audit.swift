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
            let auditing = SerialOperator((waiting: Element?.none, isDone: false), emittingTo: downstream, in: lifetime)
            let timer = RestartableTimer(scheduler, in: auditing) { _ in
                guard let due = auditing.value.waiting.take() else { return }
                auditing.downstream.onNext(due)
                if auditing.value.isDone, auditing.isAlive { auditing.downstream.onCompleted() }
            }
            auditing.subscribe(toOutlived: source) { auditing, event in
                switch event {
                case .next(let element):
                    if auditing.value.waiting == nil { timer.start(after: dueTime) }
                    auditing.value.waiting = element
                case .error(let error): auditing.downstream.onError(error)
                case .completed:
                    auditing.value.isDone = true
                    if auditing.value.waiting == nil { auditing.downstream.onCompleted() }
                }
            }
        }
    }
}
