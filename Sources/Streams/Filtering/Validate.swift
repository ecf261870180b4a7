extension ObservableType {
    /// Sends the elements with which `validator` is content; what it throws ends the stream.
    ///
    /// ```swift
    /// responses.validate { response in
    ///     guard !response.items.isEmpty else { throw ResponseError.missingItems }
    /// }
    /// ```
    ///
    /// Runs where upstream sends. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    @inlinable @inline(__always)
    public func validate(using validator: @escaping @Sendable (Element) throws -> Void) -> Observable<Element> {
        asObservable()._map { element in
            try validator(element)
            return element
        }
    }

    /// Sends the elements that are there, without their optional; nil ends the stream with `error`.
    ///
    /// `error` is evaluated when it is needed. Source: [Swift by Sundell, Extending
    /// Combine](https://www.swiftbysundell.com/articles/extending-combine-with-convenience-apis/).
    public func unwrap<Wrapped: Sendable>(orThrow error: @escaping @autoclosure @Sendable () -> any Error) -> Observable<Wrapped>
    where Element == Wrapped? {
        map { element in
            guard let element else { throw error() }
            return element
        }
    }

    /// Sends `element` in place of each nil.
    ///
    /// Source: [Combine, replaceNil](https://developer.apple.com/documentation/combine/publisher/replacenil(with:)).
    public func replaceNil<Wrapped: Sendable>(with element: Wrapped) -> Observable<Wrapped> where Element == Wrapped? {
        map { $0 ?? element }
    }
}
