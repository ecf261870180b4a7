extension InfallibleSequence {
    /// Assigns each element to a `@Streamed` property, where upstream emits; drivers and signals assign on the main queue.
    ///
    /// ```swift
    /// numbers.convertToLoadingState().assign(to: &screen.$state)
    /// // --1--#
    /// // a-b--c---        the values of the property: a = idle, b = loaded(1), c = failed(...)
    /// ```
    ///
    /// This compiles wherever the property may be set: for `private(set)`, inside the type. The property is referenced weakly, and the
    /// subscription is disposed with it. Only streams that cannot fail have this operator: handle errors before, with
    /// `replaceError(with:)`, `convertToResult()` or `asInfallible(onErrorJustReturn:)`. Source: [Combine,
    /// assign(to:)](https://developer.apple.com/documentation/combine/publisher/assign(to:)).
    @inlinable
    public func assign(to property: inout StreamedProperty<Element>) {
        property.source = asObservable()
    }

    /// Assigns each element to a `@Streamed` property of optionals; otherwise like ``assign(to:)``.
    @inlinable
    public func assign(to property: inout StreamedProperty<Element?>) {
        property.source = asObservable().map { $0 }
    }
}

extension ObservableType {
    /// Unavailable for streams that may fail: see ``InfallibleSequence/assign(to:)-(StreamedProperty<Element>)``.
    @available(*, unavailable, message: "this stream may fail: use replaceError(with:) or convertToResult() first")
    public func assign(to property: inout StreamedProperty<Element>) {}
}
