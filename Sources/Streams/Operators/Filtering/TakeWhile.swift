/// The way in which `take(while:behavior:)` handles the first element that does not satisfy its predicate.
public enum TakeBehavior: Sendable {
    /// Emits the element and completes.
    case inclusive
    /// Completes without emitting the element.
    case exclusive
}

extension ObservableType {
    /// Emits elements while `predicate` holds, and completes at the first for which it does not, including it if `behavior` is `inclusive`;
    /// fails if `predicate` throws.
    ///
    /// ```swift
    /// numbers.take(while: { $0 < 3 })
    /// // --1--2--3--1--|
    /// // --1--2--|
    /// ```
    ///
    /// Upstream is disposed then. Runs where upstream emits. Source: [ReactiveX,
    /// TakeWhile](https://reactivex.io/documentation/operators/takewhile.html).
    @inlinable @inline(__always)
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            let isOpen = SerialState(true)
            start(
                downstream.forwarding { element in
                    guard isOpen.value else { return }
                    isOpen.value = try predicate(element)
                    let isLast = !isOpen.value
                    if !isLast || behavior == .inclusive { downstream.onNext(consume element) }
                    if isLast, !lifetime.isDisposed { downstream.onCompleted() }
                }, lifetime)
        }
    }
}
