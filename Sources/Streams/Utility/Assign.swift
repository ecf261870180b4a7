import Schedulers

extension ObservableType {
    /// Assigns each element to a `@Streamed` property, where upstream sends.
    ///
    /// ```swift
    /// numbers.convertToLoadingState().assign(to: screen.$state)
    /// // --1--#
    /// // --a--(b|)        the states that the property takes
    /// ```
    ///
    /// The property is held weakly, and the subscription ends with it. An error that reaches it is a programmer's mistake, as with a
    /// binder: `Hooks.errorInBinder`.
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
