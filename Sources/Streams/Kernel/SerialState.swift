/// State of an operator whose events are serialized by law 2, so that it needs no lock.
///
/// One is made for each subscription, inside the closure that starts it.
@usableFromInline
package final class SerialState<Value>: @unchecked Sendable {
    // Sound by law 2: both the unchecked conformance and the unchecked accesses.
    @usableFromInline @exclusivity(unchecked) package var value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}

/// State of an operator, stored with everything else that its observer captures: a closure that captures one reference needs no context.
@usableFromInline
package final class EmittingState<Value, Captured: Sendable>: @unchecked Sendable {
    /// The observer that the operator emits to, and perhaps its closure.
    @usableFromInline let captured: Captured
    // Sound by law 2, as in `SerialState`.
    @usableFromInline @exclusivity(unchecked) package var value: Value

    @inlinable
    init(_ value: Value, capturing captured: Captured) {
        self.value = value
        self.captured = captured
    }
}
