import Schedulers

extension ObservableType {
    /// Sends the latest element whenever `sampler` sends or completes, if there is one since the last time; else `defaultValue`, if
    /// that is given.
    ///
    /// ```swift
    /// numbers.sample(letters)
    /// // numbers --1--2--3-----|
    /// // letters ------x----x-----x|
    /// //         ------2----3-----|
    /// ```
    ///
    /// The end of upstream shows at the next sample, and at once when the sampler has completed. An error of either is the end. Both are
    /// let go then. Keeps one element. Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    public func sample<Sampler: ObservableType>(_ sampler: Sampler, defaultValue: Element? = nil) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let gate = SharedSerializer()
            let state = SerialState((latest: Element?.none, isSourceDone: false, isSamplerDone: false))
            gate.start(source, in: lifetime.child()) { event in
                guard !lifetime.isDisposed else { return }
                switch event {
                case .next(let element): state.value.latest = element
                case .error(let error): downstream.onError(error)
                case .completed:
                    state.value.isSourceDone = true
                    if state.value.isSamplerDone { downstream.onCompleted() }
                }
            }
            guard !lifetime.isDisposed else { return }
            gate.start(sampler.asObservable(), in: lifetime.child()) { event in
                guard !lifetime.isDisposed else { return }
                if case .error(let error) = event { return downstream.onError(error) }
                state.value.isSamplerDone = event.isCompleted
                if let element = state.value.latest.take() ?? defaultValue { downstream.onNext(element) }
                if state.value.isSourceDone, !lifetime.isDisposed { downstream.onCompleted() }
            }
        }
    }

    /// Sends, each `period`, on `scheduler`, the latest element if there is one since the last time; otherwise as
    /// ``sample(_:defaultValue:)``.
    ///
    /// ```swift
    /// numbers.sample(.seconds(4), scheduler: scheduler)
    /// // --1--2--3-----|
    /// // ----1---3-------|
    /// ```
    ///
    /// Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    public func sample(_ period: Duration, scheduler: any Scheduler) -> Observable<Element> {
        sample(Observable<Int>.interval(period, scheduler: scheduler))
    }

    /// Sends the latest element `dueTime` after the first that came since the one sent before, on `scheduler`.
    ///
    /// ```swift
    /// numbers.audit(.seconds(3), scheduler: scheduler)
    /// // -1-2-3----4---|
    /// // ----2---3----4|
    /// ```
    ///
    /// Completion waits for an element that is due; an error drops it. Upstream is let go at its terminal event. Keeps one element.
    /// Source: [RxJS, audit](https://rxjs.dev/api/operators/auditTime).
    public func audit(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let gate = SharedSerializer()
            let state = SerialState((waiting: Element?.none, isDone: false))
            let timer = SerialDisposable()
            lifetime.add(timer)
            gate.start(source, in: lifetime.child()) { event in
                guard !lifetime.isDisposed else { return }
                switch event {
                case .next(let element):
                    let isPlanned = state.value.waiting != nil
                    state.value.waiting = element
                    guard !isPlanned else { return }
                    timer.disposable = scheduler.schedule(after: dueTime) {
                        gate.run {
                            guard !lifetime.isDisposed, let due = state.value.waiting.take() else { return }
                            downstream.onNext(due)
                            if state.value.isDone, !lifetime.isDisposed { downstream.onCompleted() }
                        }
                    }
                case .error(let error): downstream.onError(error)
                case .completed:
                    state.value.isDone = true
                    if state.value.waiting == nil { downstream.onCompleted() }
                }
            }
        }
    }
}
