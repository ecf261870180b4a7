import Schedulers

extension InfallibleSequence {
    /// Emits each element transformed.
    @inlinable
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().map(transform))
    }

    /// Emits the results of `transform` that are not `nil`.
    @inlinable
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) -> Result?) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().compactMap(transform))
    }

    /// Emits only the elements that satisfy `predicate`.
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Self {
        Self(infallible: asObservable().filter(predicate))
    }

    /// Emits, for each element, the result of `accumulator` for the previous result and the element.
    @inlinable
    public func scan<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Emits, for each element, the result that `accumulator` mutates.
    @inlinable
    public func scan<Result: Sendable>(
        into seed: Result, accumulator: @escaping @Sendable (inout Result, Element) -> Void
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Skips elements whose key equals that of the previous element.
    @inlinable
    public func distinctUntilChanged<Key: Equatable & Sendable>(_ keySelector: @escaping @Sendable (Element) -> Key) -> Self {
        Self(infallible: asObservable().distinctUntilChanged(keySelector))
    }

    /// Emits `elements` and then those of this stream.
    @inlinable
    public func startWith(_ elements: Element...) -> Self {
        Self(infallible: .concat(.from(elements), asObservable()))
    }

    /// Skips the first `count` elements.
    @inlinable
    public func skip(_ count: Int) -> Self {
        Self(infallible: asObservable().skip(count))
    }

    /// Maps each element to a stream and emits the elements of the latest one only.
    @inlinable
    public func flatMapLatest<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().flatMapLatest { selector($0).asObservable() })
    }

    /// Maps each element to a stream and emits the elements of all of them.
    @inlinable
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().flatMap { selector($0).asObservable() })
    }

    /// Maps an element to a stream and emits its elements, like `flatMapFirst` of streams: elements that arrive while that stream is active
    /// are skipped.
    @inlinable
    public func flatMapFirst<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().flatMapFirst { selector($0).asObservable() })
    }

    /// Emits the first `count` elements, like `take` of streams.
    @inlinable
    public func take(_ count: Int) -> Self {
        Self(infallible: asObservable().take(count))
    }

    /// Emits the elements of this stream and then those of `second`, like `concat` of streams.
    @inlinable
    public func concat(_ second: Self) -> Self {
        Self(infallible: asObservable().concat(second.asObservable()))
    }

    /// Prints the events of this stream, like `debug` of streams.
    @inlinable
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: StaticString = #fileID, line: UInt = #line,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Self {
        Self(infallible: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }

    /// Emits, for each element, the result of `resultSelector` for it and the latest element of `second`.
    @inlinable
    public func withLatestFrom<Second, Result: Sendable>(
        _ second: InfallibleSequence<Kind, Second>, resultSelector: @escaping @Sendable (Element, Second) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(
            infallible: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Emits, for each element, the result of `resultSelector` for it and the latest element of `second`, a stream of another kind: a
    /// signal takes the latest element of a driver.
    @inlinable
    public func withLatestFrom<SecondKind, Second, Result: Sendable>(
        _ second: InfallibleSequence<SecondKind, Second>, resultSelector: @escaping @Sendable (Element, Second) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(
            infallible: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Emits the latest element of `second` for each element.
    @inlinable
    public func withLatestFrom<SecondKind, Second>(
        _ second: InfallibleSequence<SecondKind, Second>
    ) -> InfallibleSequence<Kind, Second> {
        InfallibleSequence<Kind, Second>(infallible: asObservable().withLatestFrom(second.asObservable()))
    }

    /// Calls closures before (or `after...`) each event is forwarded, like `do` of streams.
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) -> Void)? = nil,
        afterNext: (@Sendable (Element) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        afterCompleted: (@Sendable () -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(
            infallible: asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }
}

/// The operators that cannot make a stream fail: their closures do not throw.
extension InfallibleSequence {
    /// Emits `value` for each element.
    @inlinable
    public func mapTo<Result: Sendable>(_ value: Result) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().mapTo(value))
    }

    /// Emits the elements of the sequence that each element is mapped to.
    @inlinable
    public func flatMapIterable<Elements: Sequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Elements
    ) -> InfallibleSequence<Kind, Elements.Element> where Elements.Element: Sendable {
        InfallibleSequence<Kind, Elements.Element>(infallible: asObservable().flatMapIterable(transform))
    }

    /// Maps each element to a stream and emits the elements of one after the other.
    @inlinable
    public func concatMap<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().concatMap { selector($0).asObservable() })
    }

    /// Emits each element with the previous one.
    @inlinable
    public func pairwise() -> InfallibleSequence<Kind, (Element, Element)> {
        InfallibleSequence<Kind, (Element, Element)>(infallible: asObservable().pairwise())
    }

    /// Emits elements until one does not satisfy `predicate`, like `take(while:behavior:)` of streams.
    @inlinable
    public func take(while predicate: @escaping @Sendable (Element) -> Bool, behavior: TakeBehavior = .exclusive) -> Self {
        Self(infallible: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Emits elements until `notifier` emits one.
    @inlinable
    public func take<Other>(until notifier: InfallibleSequence<Kind, Other>) -> Self {
        Self(infallible: asObservable().take(until: notifier.asObservable()))
    }

    /// Skips elements until one does not satisfy `predicate`.
    @inlinable
    public func skip(while predicate: @escaping @Sendable (Element) -> Bool) -> Self {
        Self(infallible: asObservable().skip(while: predicate))
    }

    /// Emits the elements of this stream and then `elements`.
    @inlinable
    public func endWith(_ elements: Element...) -> Self {
        Self(infallible: .concat(asObservable(), .from(elements)))
    }

    /// Emits `element` if this stream completes without one.
    @inlinable
    public func ifEmpty(default element: Element) -> Self {
        Self(infallible: asObservable().ifEmpty(default: element))
    }

    /// Emits the elements of this stream and of `other`.
    @inlinable
    public func merge(with other: Self) -> Self {
        .merge(self, other)
    }

    /// Emits the result of `accumulator` for all elements when this stream completes.
    @inlinable
    public func reduce<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(infallible: asObservable().reduce(seed, accumulator: accumulator))
    }

    /// Emits all elements as an array when this stream completes. Stores all of them.
    @inlinable
    public func toArray() -> InfallibleSequence<Kind, [Element]> {
        InfallibleSequence<Kind, [Element]>(infallible: asObservable().toArray())
    }

    /// Emits no elements, only the completion.
    @inlinable
    public func ignoreElements() -> InfallibleSequence<Kind, Never> {
        InfallibleSequence<Kind, Never>(infallible: asObservable().ignoreElements())
    }

    /// Emits the value of each element that is not `nil`.
    @inlinable
    public func unwrap<Wrapped: Sendable>() -> InfallibleSequence<Kind, Wrapped> where Element == Wrapped? {
        compactMap { $0 }
    }

    /// Emits `value` instead of `nil`.
    @inlinable
    public func replaceNil<Wrapped: Sendable>(with value: Wrapped) -> InfallibleSequence<Kind, Wrapped> where Element == Wrapped? {
        InfallibleSequence<Kind, Wrapped>(infallible: asObservable().replaceNil(with: value))
    }
}

extension InfallibleSequence {
    /// Emits the elements of the latest inner stream; the previous one is disposed.
    @inlinable
    public func switchLatest<Inner>() -> InfallibleSequence<Kind, Inner> where Element == InfallibleSequence<Kind, Inner> {
        flatMapLatest { $0 }
    }

    /// Emits the elements of the inner streams. At most `maxConcurrent` of them (at least one) are active; the others are queued.
    @inlinable
    public func merge<Inner>(maxConcurrent: Int = .max) -> InfallibleSequence<Kind, Inner>
    where Element == InfallibleSequence<Kind, Inner> {
        InfallibleSequence<Kind, Inner>(infallible: asObservable().merge(maxConcurrent: maxConcurrent))
    }

    /// Skips elements that `areEqual` considers equal to the previous one.
    @inlinable
    public func distinctUntilChanged(by areEqual: @escaping @Sendable (Element, Element) -> Bool) -> Self {
        Self(infallible: asObservable().distinctUntilChanged(by: areEqual))
    }
}

extension InfallibleSequence where Element: Equatable {
    /// Skips elements that equal the previous one.
    @inlinable
    public func distinctUntilChanged() -> Self {
        Self(infallible: asObservable().distinctUntilChanged())
    }
}
