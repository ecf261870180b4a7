extension ObservableType {
    /// Makes a stream of each element and sends the elements of the latest one only: a new element lets the stream before go.
    ///
    /// ```swift
    /// letters.flatMapLatest { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ------b-----|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. An error or a throw ends it at once and lets both go.
    /// Source: [RxSwift, flatMapLatest; ReactiveX, Switch](https://reactivex.io/documentation/operators/switch.html).
    @inlinable @inline(__always)
    public func flatMapLatest<Source: ObservableType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMapLatest { try selector($0).asObservable() }
    }
}

extension Observable {
    @inlinable @inline(__always)
    func _flatMapLatest<Result>(_ selector: @escaping @Sendable (Element) throws -> Observable<Result>) -> Observable<Result> {
        let source = self
        return Observable<Result> { downstream, lifetime in
            SwitchJoin(downstream, lifetime).subscribe(toOuter: source, selector)
        }
    }
}
