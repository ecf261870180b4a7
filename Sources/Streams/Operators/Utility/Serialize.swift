extension ObservableType {
    /// Serializes a stream and enforces its grammar, for streams made by `Observable(start:)` over callbacks of several threads.
    ///
    /// ```swift
    /// unruly.serialize()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// All streams of the package are serialized already. Events that arrive while another is being delivered are queued, without bound.
    /// Source: [ReactiveX, Serialize](https://reactivex.io/documentation/operators/serialize.html).
    @inlinable
    public func serialize() -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let isDone = SerialState(false)
            SharedSerializer(lifetime).subscribe(to: source) { event in
                guard !isDone.value else { return }
                isDone.value = event.isStopEvent
                downstream.on(event)
            }
        }
    }
}
