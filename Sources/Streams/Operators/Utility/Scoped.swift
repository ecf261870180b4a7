extension Observable {
    /// Creates the stream for each subscriber from the scope of its subscription; fails if `factory` throws.
    @inlinable
    package static func scoped(_ factory: @escaping @Sendable (Scope?) throws -> Observable<Element>) -> Observable<Element> {
        made { lifetime in try factory(lifetime.scope) }
    }
}

extension ObservableType {
    /// Adds a value to the scope of the subscription upstream, where ``Observable/scoped(_:)`` can read it; `makeValue` is called for each
    /// subscriber.
    @inlinable
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

/// The values that a subscription propagates upstream, immutable and inherited by child lifetimes: an operation's id, its log.
///
/// Read a value by its key: `scope[OperationID.self]`.
@usableFromInline
package final class Scope: Sendable {
    /// Identifies a value of a scope.
    @usableFromInline
    package protocol Key {
        associatedtype Value: Sendable
    }

    @usableFromInline let values: [ObjectIdentifier: any Sendable]

    /// Creates an empty scope.
    @usableFromInline
    package init() {
        values = [:]
    }

    private init(values: [ObjectIdentifier: any Sendable]) {
        self.values = values
    }

    /// The value of `key`; `nil` if not set.
    @usableFromInline
    package subscript<K: Key>(key: K.Type) -> K.Value? {
        values[ObjectIdentifier(key)] as? K.Value
    }

    /// Returns this scope with one value added or replaced.
    @usableFromInline
    package func setting<K: Key>(_ key: K.Type, to value: K.Value) -> Scope {
        var values = values
        values[ObjectIdentifier(key)] = value
        return Scope(values: values)
    }
}
