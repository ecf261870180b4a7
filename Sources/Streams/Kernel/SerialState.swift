/// State of an operator that law 2 makes serial: events reach the operator one at a time, so its state needs no lock.
///
/// One is made for each subscription, inside the closure that starts it.
@usableFromInline
package final class SerialState<Value>: @unchecked Sendable {
    // Law 2 makes both the unchecked conformance and the unchecked accesses sound.
    @usableFromInline @exclusivity(unchecked) package var value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}
