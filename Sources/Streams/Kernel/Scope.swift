/// What a subscription carries along its chain, immutable and inherited by child lifetimes: an operation's id, where its log goes.
///
/// Read by key: `scope[OperationID.self]`.
@usableFromInline
package final class Scope: Sendable {
    /// Names a value that a scope can carry.
    package protocol Key {
        associatedtype Value: Sendable
    }

    private let values: [ObjectIdentifier: any Sendable]

    /// Makes an empty scope.
    package init() {
        values = [:]
    }

    private init(values: [ObjectIdentifier: any Sendable]) {
        self.values = values
    }

    /// The value under `key`; nil where none was set.
    package subscript<K: Key>(key: K.Type) -> K.Value? {
        values[ObjectIdentifier(key)] as? K.Value
    }

    /// This scope with one value more, or replaced.
    package func setting<K: Key>(_ key: K.Type, to value: K.Value) -> Scope {
        var values = values
        values[ObjectIdentifier(key)] = value
        return Scope(values: values)
    }
}
