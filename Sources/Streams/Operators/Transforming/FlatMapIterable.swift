extension ObservableType {
    /// Emits the elements of the sequence that `selector` maps each element to; fails if it throws.
    ///
    /// ```swift
    /// responses.flatMapIterable(\.items)
    /// // -a----b----|        a holds 1 and 2, b holds 3
    /// // -(12)-3----|
    /// ```
    ///
    /// Checks before each element whether the subscription is disposed. Runs where upstream emits.
    /// Source: [RxJava, flatMapIterable](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable
    public func flatMapIterable<Elements: Sequence & Sendable>(
        _ selector: @escaping @Sendable (Element) throws -> Elements
    ) -> Observable<Elements.Element> where Elements.Element: Sendable {
        let source = asObservable()
        return Observable<Elements.Element> { downstream, lifetime in
            let flattening = IterableFlattening<Elements>(downstream, lifetime)
            source.subscribe(in: flattening.gate) { event in
                switch consume event {
                case .next(let element):
                    do { flattening.emit(try selector(element)) } catch { flattening.stop(with: .error(error)) }
                case .error(let error): flattening.stop(with: .error(error))
                case .completed: flattening.stop(with: .completed)
                }
            }
        }
    }
}
