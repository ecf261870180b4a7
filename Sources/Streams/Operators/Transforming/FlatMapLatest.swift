extension ObservableType {
    /// Maps each element to a stream and emits the elements of the latest one only: a new element disposes the previous stream.
    ///
    /// ```swift
    /// letters.flatMapLatest { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ------b-----|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. Fails immediately at an error or if the closure throws, and disposes both.
    /// Source: [RxSwift, flatMapLatest; ReactiveX, Switch](https://reactivex.io/documentation/operators/switch.html).
    @inlinable @inline(__always)
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable<Source.Element> { downstream, lifetime in
            SwitchJoin(downstream, lifetime).subscribe(toOuter: source, selector)
        }
    }
}
