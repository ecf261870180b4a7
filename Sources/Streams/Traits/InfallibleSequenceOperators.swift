import Schedulers

extension InfallibleSequence {
    /// Sends each element transformed.
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().map(transform))
    }

    /// Sends each element transformed, and leaves out those for which `transform` gives nil.
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) -> Result?) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().compactMap(transform))
    }

    /// Sends only the elements for which `predicate` is true.
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Self {
        Self(unfailing: asObservable().filter(predicate))
    }

    /// Sends, for each element, what `accumulator` makes of the result so far and the element.
    public func scan<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Leaves out elements whose key equals that of the element sent before.
    public func distinctUntilChanged<Key: Equatable & Sendable>(_ keySelector: @escaping @Sendable (Element) -> Key) -> Self {
        Self(unfailing: asObservable().distinctUntilChanged(keySelector))
    }

    /// Sends `elements` and then those of this stream.
    public func startWith(_ elements: Element...) -> Self {
        Self(unfailing: .concat(.from(elements), asObservable()))
    }

    /// Leaves out the first `count` elements.
    public func skip(_ count: Int) -> Self {
        Self(unfailing: asObservable().skip(count))
    }

    /// Makes a stream of each element and sends the elements of the latest one only.
    public func flatMapLatest<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().flatMapLatest { selector($0).asObservable() })
    }

    /// Makes a stream of each element and sends the elements of all of them as they come.
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().flatMap { selector($0).asObservable() })
    }

    /// As `flatMapFirst` of streams: an element that comes while the stream of another runs is left out.
    public func flatMapFirst<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().flatMapFirst { selector($0).asObservable() })
    }

    /// Sends the first `count` elements, as `take` of streams.
    public func take(_ count: Int) -> Self {
        Self(unfailing: asObservable().take(count))
    }

    /// Sends the elements of this stream and then those of `second`, as `concat` of streams.
    public func concat(_ second: Self) -> Self {
        Self(unfailing: asObservable().concat(second.asObservable()))
    }

    /// Writes what happens to this stream, as `debug` of streams.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: StaticString = #fileID, line: UInt = #line,
        output: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Self {
        Self(unfailing: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }

    /// Sends, for each element, what `resultSelector` makes of it and the latest element of `second`.
    public func withLatestFrom<Second, Result: Sendable>(
        _ second: InfallibleSequence<Kind, Second>, resultSelector: @escaping @Sendable (Element, Second) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(
            unfailing: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Calls `onNext` beside the stream, before each element goes on.
    public func `do`(onNext: @escaping @Sendable (Element) -> Void) -> Self {
        Self(unfailing: asObservable().do(onNext: onNext))
    }
}

/// What keeps a stream from failing: the operators whose closures do not throw, and which end no stream with an error of their own.
extension InfallibleSequence {
    /// Emits `value` for each element.
    public func mapTo<Result: Sendable>(_ value: Result) -> InfallibleSequence<Kind, Result> {
        map { _ in value }
    }

    /// Emits the elements of a sequence made of each element.
    public func flatMapIterable<Elements: Sequence & Sendable>(
        _ transform: @escaping @Sendable (Element) -> Elements
    ) -> InfallibleSequence<Kind, Elements.Element> where Elements.Element: Sendable {
        InfallibleSequence<Kind, Elements.Element>(unfailing: asObservable().flatMapIterable(transform))
    }

    /// Makes a stream of each element and emits the elements of one after the other.
    public func concatMap<Result>(
        _ selector: @escaping @Sendable (Element) -> InfallibleSequence<Kind, Result>
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().concatMap { selector($0).asObservable() })
    }

    /// Emits each element with the one before it.
    public func pairwise() -> InfallibleSequence<Kind, (Element, Element)> {
        InfallibleSequence<Kind, (Element, Element)>(unfailing: asObservable().pairwise())
    }

    /// Emits elements until one does not fulfil `predicate`, as `take(while:behavior:)` of streams.
    public func take(while predicate: @escaping @Sendable (Element) -> Bool, behavior: TakeBehavior = .exclusive) -> Self {
        Self(unfailing: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Emits elements until `notifier` emits one.
    public func take<Other>(until notifier: InfallibleSequence<Kind, Other>) -> Self {
        Self(unfailing: asObservable().take(until: notifier.asObservable()))
    }

    /// Leaves out elements until one does not fulfil `predicate`.
    public func skip(while predicate: @escaping @Sendable (Element) -> Bool) -> Self {
        Self(unfailing: asObservable().skip(while: predicate))
    }

    /// Emits the elements of this stream and then `elements`.
    public func endWith(_ elements: Element...) -> Self {
        Self(unfailing: .concat(asObservable(), .from(elements)))
    }

    /// Emits `element` if this stream completes without one.
    public func ifEmpty(default element: Element) -> Self {
        Self(unfailing: asObservable().ifEmpty(default: element))
    }

    /// Emits the elements of this stream and of `other` as they come.
    public func merge(with other: Self) -> Self {
        .merge(self, other)
    }

    /// Emits, when this stream completes, what `accumulator` made of all elements.
    public func reduce<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) -> Result
    ) -> InfallibleSequence<Kind, Result> {
        InfallibleSequence<Kind, Result>(unfailing: asObservable().reduce(seed, accumulator: accumulator))
    }

    /// Emits all elements as an array when this stream completes. Keeps them all.
    public func toArray() -> InfallibleSequence<Kind, [Element]> {
        InfallibleSequence<Kind, [Element]>(unfailing: asObservable().toArray())
    }

    /// Emits no elements, only the completion.
    public func ignoreElements() -> InfallibleSequence<Kind, Never> {
        InfallibleSequence<Kind, Never>(unfailing: asObservable().ignoreElements())
    }

    /// Emits what is in each optional element that is not nil.
    public func unwrap<Wrapped: Sendable>() -> InfallibleSequence<Kind, Wrapped> where Element == Wrapped? {
        compactMap { $0 }
    }

    /// Emits `value` in place of nil.
    public func replaceNil<Wrapped: Sendable>(with value: Wrapped) -> InfallibleSequence<Kind, Wrapped> where Element == Wrapped? {
        map { $0 ?? value }
    }
}

extension InfallibleSequence where Element: Equatable {
    /// Leaves out elements that equal the one sent before.
    public func distinctUntilChanged() -> Self {
        Self(unfailing: asObservable().distinctUntilChanged())
    }
}

extension InfallibleSequence where Kind: MainLoopKind {
    /// Sends an element when nothing came after it for `dueTime`, measured on the main loop.
    public func debounce(_ dueTime: Duration) -> Self {
        Self(unfailing: asObservable().debounce(dueTime, scheduler: MainScheduler.instance))
    }

    /// Sends an element and then, for `dueTime`, none; with `latest` the last one that came meanwhile at the end of that time.
    public func throttle(_ dueTime: Duration, latest: Bool = true) -> Self {
        Self(unfailing: asObservable().throttle(dueTime, latest: latest, scheduler: MainScheduler.instance))
    }

    /// Sends each element, and the completion, `dueTime` later.
    public func delay(_ dueTime: Duration) -> Self {
        Self(unfailing: asObservable().delay(dueTime, scheduler: MainScheduler.instance))
    }
}

extension InfallibleSequence where Kind: MainLoopKind {
    /// Subscribes closures that run on the main loop as main-actor code.
    func subscribeOnMain(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable () -> Void)?,
        _ onDisposed: (@Sendable () -> Void)?
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: { element in
                MainScheduler.runOnMainActor { onNext?(element) }
            },
            onCompleted: {
                MainScheduler.runOnMainActor { onCompleted?() }
            },
            onDisposed: onDisposed)
    }
}
