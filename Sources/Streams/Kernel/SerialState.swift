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

/// State of `distinctUntilChanged`: the element that was emitted last, together with the observer that it was emitted to.
///
/// The element is compared and replaced in place: a large one would be copied to be taken out of its optional. `Stored` is that optional,
/// which is not looked up when the state is destroyed, as a type that depends on the element would be.
@usableFromInline
final class LastElement<Stored, Element: Sendable>: @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Element>
    // Sound by law 2, as in `SerialState`.
    @usableFromInline @exclusivity(unchecked) var stored: Stored
    @usableFromInline @exclusivity(unchecked) var isEmpty = true

    @inlinable
    init(_ downstream: AnyObserver<Element>) where Stored == Element? {
        self.downstream = downstream
        stored = nil
    }

    /// Stores a copy of `element`; returns `false` if it equals the one before.
    @inlinable @inline(__always)
    func replace(with element: ElementReference<Element>) -> Bool where Stored == Element?, Element: Equatable {
        guard !isEmpty else {
            stored = element.address.pointee
            isEmpty = false
            return true
        }
        return withUnsafeMutablePointer(to: &stored) { stored in
            let last = ElementReference(payloadAt: stored).address
            guard last.pointee != element.address.pointee else { return false }
            last.pointee = element.address.pointee
            return true
        }
    }
}
