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
            let serializer = SharedSerializer(lifetime)
            let state = SerialState((latest: Element?.none, isSourceDone: false, isSamplerDone: false))
            serializer.subscribe(toIndependent: source) { event in
                switch event {
                case .next(let element): state.value.latest = element
                case .error(let error): downstream.onError(error)
                case .completed:
                    state.value.isSourceDone = true
                    if state.value.isSamplerDone { downstream.onCompleted() }
                }
            }
            serializer.subscribe(to: sampler, in: serializer.gate) { event in
                if case .error(let error) = event { return downstream.onError(error) }
                state.value.isSamplerDone = event.isCompleted
                if let element = state.value.latest.take() ?? defaultValue.value { downstream.onNext(element) }
                if state.value.isSourceDone, !lifetime.isDisposed { downstream.onCompleted() }
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
