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

/// State of an operator, together with the observer that it emits to.
///
/// The observer of its upstream captures this only, so it is not allocated.
@usableFromInline
package final class EmittingState<Value, Output: Sendable>: @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Output>
    // Sound by law 2, as in `SerialState`.
    @usableFromInline @exclusivity(unchecked) package var value: Value

    @inlinable
    init(_ value: Value, _ downstream: AnyObserver<Output>) {
        self.value = value
        self.downstream = downstream
    }
}

/// State of `scan`, together with its closure and the observer that it emits to: all that the observer of its upstream captures.
@usableFromInline
final class Accumulation<Element: Sendable, Result: Sendable>: @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Result>
    @usableFromInline let accumulator: @Sendable (Result, Element) throws -> Result
    // Sound by law 2, as in `SerialState`.
    @usableFromInline @exclusivity(unchecked) var value: Result

    @inlinable
    init(_ seed: Result, _ downstream: AnyObserver<Result>, _ accumulator: @escaping @Sendable (Result, Element) throws -> Result) {
        self.downstream = downstream
        self.accumulator = accumulator
        value = seed
    }
}
