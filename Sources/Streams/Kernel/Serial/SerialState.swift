/// State of an operator whose events are serialized by law 2, so that it needs no lock.
///
/// One is made for each subscription, inside the closure that starts it.
// The state is moved into the last closure that captures it, like `AnyObserver`.
@_eagerMove
@usableFromInline
package final class SerialState<Value>: @unchecked Sendable {
    // Sound by law 2: both the unchecked conformance and the unchecked accesses.
    @usableFromInline @safe @exclusivity(unchecked) package var value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}

/// State of an operator with the observer that it emits to: a closure that captures one reference needs no context of its own.
///
/// For `skip` and `distinctUntilChanged`, of which a chain may have several: it saves one allocation for each subscription.
@_eagerMove
@usableFromInline
final class EmittingState<Value, Output: Sendable>: @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Output>
    // Sound by law 2, as in `SerialState`.
    @usableFromInline @safe @exclusivity(unchecked) var value: Value

    @inlinable
    init(_ value: Value, emittingTo downstream: AnyObserver<Output>) {
        self.value = value
        self.downstream = downstream
    }
}
