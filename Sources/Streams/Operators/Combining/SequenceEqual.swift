extension ObservableType where Element: Equatable {
    /// Emits whether `other` emits equal elements in the same order and number, as soon as that is known; both are disposed then.
    ///
    /// ```swift
    /// numbers.sequenceEqual(others)
    /// // numbers --1--2-----|
    /// // others  -----1---3--|
    /// //         ---------(f|)   f = false
    /// ```
    ///
    /// Unmatched elements are buffered. Fails at an error of either.
    /// Source: [ReactiveX, SequenceEqual](https://reactivex.io/documentation/operators/sequenceequal.html).
    @inlinable
    public func sequenceEqual(_ other: some ObservableConvertibleType<Element>) -> Observable<Bool> {
        // The end of each sequence is an element too.
        let sequences = [asObservable(), other.asObservable()].map { $0.map(Optional.some).endWith(nil) }
        return Observable<Bool>.zip(sequences[0], sequences[1]) { $0 == $1 }.all { $0 }
    }
}
