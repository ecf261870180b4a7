/// The gate of one upstream, while its operator suspends that upstream alone.
///
/// The reference is weak: the gate retains the operator. It is made only when the gate is closed, because the first weak
/// reference to an object allocates.
@usableFromInline
struct SuspendedGate: Sendable {
    private weak var gate: Gate?
    /// Whether a gate was closed, and not taken since.
    @usableFromInline var isSuspended = false

    @usableFromInline
    init() {}

    /// Closes `gate`. Called inside the serializer of the operator only.
    @usableFromInline @inline(never)
    mutating func suspend(_ gate: Gate) {
        gate.suspend()
        (self.gate, isSuspended) = (gate, true)
    }

    /// Returns the gate that was closed, for the operator to open it, unless that has been disposed and released.
    @inlinable
    mutating func take() -> Gate? {
        isSuspended ? takeSuspended() : nil
    }

    @usableFromInline @inline(never)
    mutating func takeSuspended() -> Gate? {
        defer { (gate, isSuspended) = (nil, false) }
        return gate
    }
}
