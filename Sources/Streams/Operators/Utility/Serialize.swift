extension ObservableType {
    /// Makes a stream serial, and deaf after its terminal event, that is not so by itself: one made by `Observable(start:)` over
    /// callbacks of several threads.
    ///
    /// ```swift
    /// unruly.serialize()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// All of the package's own streams keep that law already. What arrives while an element is being sent waits for its turn, without
    /// bound. Source: [ReactiveX, Serialize](https://reactivex.io/documentation/operators/serialize.html).
    public func serialize() -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let gate = SharedSerializer()
            let isDone = SerialState(false)
            gate.start(source, in: lifetime.child()) { event in
                guard !lifetime.isDisposed, !isDone.value else { return }
                isDone.value = event.isStopEvent
                downstream.on(event)
            }
        }
    }

    /// This stream after `transform`: for operators of one's own, in the place where they belong in a chain.
    ///
    /// ```swift
    /// numbers.apply { stream in stream.filter { $0 > 1 }.take(2) }
    /// // --1--2--3--4--|
    /// // -----2--(3|)
    /// ```
    ///
    /// `transform` runs at once, not at the subscription. Source: [RxSwiftExt, apply](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func apply<Result>(_ transform: (Observable<Element>) throws -> Observable<Result>) rethrows -> Observable<Result> {
        try transform(asObservable())
    }
}
