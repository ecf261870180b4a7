extension ObservableType {
    /// Emits the elements for which `validator` does not throw; fails with the error that it throws.
    ///
    /// ```swift
    /// numbers.validate { number in
    ///     guard number < 3 else { throw ResponseError.tooLarge }
    /// }
    /// // --1--2--3--|
    /// // --1--2--#
    /// ```
    /// Upstream is disposed then. Runs where upstream emits. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    @inlinable @inline(__always)
    public func validate(using validator: @escaping @Sendable (Element) throws -> Void) -> Observable<Element> {
        map { element in
            try validator(element)
            return element
        }
    }

    /// Emits the unwrapped elements; fails with `error` at the first `nil`.
    ///
    /// ```swift
    /// letters.map { Int($0) }.unwrap(orThrow: ResponseError.missingItems)
    /// // --1--x--3--|
    /// // --1--#
    /// ```
    ///
    /// `error` is evaluated lazily. Upstream is disposed then. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    @inlinable
    public func unwrap<Wrapped: Sendable>(orThrow error: @escaping @autoclosure @Sendable () -> any Error) -> Observable<Wrapped>
    where Element == Wrapped? {
        map { element in
            guard let element else { throw error() }
            return element
        }
    }

    /// Emits `element` instead of each `nil`.
    ///
    /// ```swift
    /// letters.map { Int($0) }.replaceNil(with: 0)
    /// // --1--x--3--|
    /// // --1--0--3--|
    /// ```
    ///
    /// Runs where upstream emits.
    /// Source: [Combine, replaceNil](https://developer.apple.com/documentation/combine/publisher/replacenil(with:)).
    @inlinable
    public func replaceNil<Wrapped: Sendable>(with element: Wrapped) -> Observable<Wrapped> where Element == Wrapped? {
        let constant = Constant(element)
        return map { $0 ?? constant.value }
    }
}
