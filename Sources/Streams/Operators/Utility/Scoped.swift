extension Observable {
    /// Creates the stream for each subscriber from the scope of its subscription; fails if `factory` throws.
    package static func scoped(_ factory: @escaping @Sendable (Scope?) throws -> Observable<Element>) -> Observable<Element> {
        made { lifetime in try factory(lifetime.scope) }
    }
}

extension ObservableType {
    /// Adds a value to the scope of the subscription upstream, where ``Observable/scoped(_:)`` can read it; `makeValue` is called for each
    /// subscriber.
    package func carrying<Key: Scope.Key & SendableMetatype>(
        _ key: Key.Type, _ makeValue: @escaping @Sendable () -> Key.Value
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let upstream = lifetime.child(scope: (lifetime.scope ?? Scope()).setting(Key.self, to: makeValue()))
            source.subscribe(in: upstream) { event in downstream.on(event) }
        }
    }
}
