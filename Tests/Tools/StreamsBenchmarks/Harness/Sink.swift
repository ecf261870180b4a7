import Synchronization

/// Where the measured streams end: it keeps the last value and counts, so that the optimizer may leave nothing out.
///
/// Its loads and stores are relaxed atomics, which compile to plain instructions but may be neither removed nor merged. It has one
/// writer at a time, as an observer has.
final class Sink: Sendable {
    private let last = Atomic<Int>(0)
    private let count = Atomic<Int>(0)

    @inline(__always)
    func take(_ value: Int) {
        last.store(value, ordering: .relaxed)
        count.store(count.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// How many values came since this was asked last.
    func takeCount() -> Int {
        count.exchange(0, ordering: .relaxed)
    }
}

/// A value of which the optimizer knows nothing.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value {
    value
}
