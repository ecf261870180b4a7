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
