import Schedulers

extension ObservableType {
    /// Emits the latest element whenever `sampler` emits or completes, if there is a new one; otherwise emits `defaultValue`, if you give
    /// one.
    ///
    /// ```swift
    /// numbers.sample(letters)
    /// // numbers --1--2--3-----|
    /// // letters ------x----x-----x|
    /// //         ------2----3-----|
    /// ```
    ///
    /// Upstream's completion is forwarded at the next sample, or immediately if the sampler has completed. Fails if either fails. Both are
    /// disposed then. Stores one element. Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    @inlinable
    public func sample<Sampler: ObservableConvertibleType>(_ sampler: Sampler, defaultValue: Element? = nil) -> Observable<Element> {
        let (source, sampler) = (asObservable(), sampler.asObservable())
        let defaultValue = Constant(defaultValue)
        return Observable { downstream, lifetime in
            let sampling = SerialOperator(
                (latest: Element?.none, defaultValue: defaultValue.value, isSourceDone: false, isSamplerDone: false),
                emittingTo: downstream, in: lifetime)
            sampling.start(independent: source) { event in
                sampling.receive(independent: event) { sampling, event in
                    switch event {
                    case .next(let element): sampling.value.latest = element
                    case .error(let error): sampling.downstream.onError(error)
                    case .completed:
                        sampling.value.isSourceDone = true
                        if sampling.value.isSamplerDone { sampling.downstream.onCompleted() }
                    }
                }
            }
            sampling.start(main: sampler) { event in
                sampling.receive(outlived: event) { sampling, event in
                    if case .error(let error) = event { return sampling.downstream.onError(error) }
                    sampling.value.isSamplerDone = event.isCompleted
                    if let element = sampling.value.latest.take() ?? sampling.value.defaultValue { sampling.downstream.onNext(element) }
                    if sampling.value.isSourceDone, sampling.isAlive { sampling.downstream.onCompleted() }
                }
            }
        }
    }

    /// Emits the latest element, if there is a new one, once every `period` on `scheduler`.
    ///
    /// ```swift
    /// numbers.sample(.seconds(4), scheduler: scheduler)
    /// // --1--2--3-----|
    /// // ----1---3-------|
    /// ```
    ///
    /// Upstream's completion is forwarded at the next of these times, after a new element; an error immediately. Stores one element.
    /// Source: [ReactiveX, Sample](https://reactivex.io/documentation/operators/sample.html).
    @inlinable
    public func sample(_ period: Duration, scheduler: any Scheduler) -> Observable<Element> {
        sample(Observable<Int>.interval(period, scheduler: scheduler))
    }
}
