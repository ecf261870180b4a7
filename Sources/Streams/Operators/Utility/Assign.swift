import Schedulers

extension InfallibleSequence {
    /// Assigns each element to a `@Streamed` property, where upstream emits; for drivers and signals on the main queue.
    ///
    /// ```swift
    /// numbers.convertToLoadingState().assign(to: screen.$state)
    /// // --1--#
    /// // --a--(b|)        the states that the property takes
    /// ```
    ///
    /// The property is held weakly, and the subscription ends with it. Only streams that cannot fail have this: what an error would mean to
    /// a property is said before, with `replaceError(with:)`, `convertToResult()` or `asInfallible(onErrorJustReturn:)`.
    /// Source: [Combine, assign(to:)](https://developer.apple.com/documentation/combine/publisher/assign(to:)).
    public func assign(to property: StreamedProperty<Element>) {
        assign(weakly: property) { $0 }
    }

    /// Assigns each element to a `@Streamed` property of optionals; otherwise as ``assign(to:)``.
    public func assign(to property: StreamedProperty<Element?>) {
        assign(weakly: property) { $0 }
    }

    private func assign<Value>(weakly property: StreamedProperty<Value>, _ value: @escaping @Sendable (Element) -> Value) {
        let lifetime = property.assignments.child()
        asObservable().start(
            AnyObserver { [weak property] event in
                guard event.isStopEvent ? lifetime.end() : !lifetime.isDisposed else { return }
                event.relayed { element in property?.relay.accept(value(element)) }
            }, lifetime)
    }
}

extension ObservableType {
    /// A stream that may fail is not assigned: see ``InfallibleSequence/assign(to:)-(StreamedProperty<Element>)``.
    @available(*, unavailable, message: "this stream may fail: put replaceError(with:) or convertToResult() before")
    public func assign(to property: StreamedProperty<Element>) {}
}
