import Schedulers

extension UnfailingStream {
    /// Sends each element transformed.
    public func map<Result>(_ transform: @escaping @Sendable (Element) -> Result) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().map(transform))
    }

    /// Sends each element transformed, and leaves out those for which `transform` gives nil.
    public func compactMap<Result>(_ transform: @escaping @Sendable (Element) -> Result?) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().compactMap(transform))
    }

    /// Sends only the elements for which `predicate` is true.
    public func filter(_ predicate: @escaping @Sendable (Element) -> Bool) -> Self {
        Self(unfailing: asObservable().filter(predicate))
    }

    /// Sends, for each element, what `accumulator` makes of the result so far and the element.
    public func scan<Result: Sendable>(
        _ seed: Result, accumulator: @escaping @Sendable (Result, Element) -> Result
    ) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().scan(seed, accumulator: accumulator))
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
        _ selector: @escaping @Sendable (Element) -> UnfailingStream<Kind, Result>
    ) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().flatMapLatest { selector($0).asObservable() })
    }

    /// Makes a stream of each element and sends the elements of all of them as they come.
    public func flatMap<Result>(
        _ selector: @escaping @Sendable (Element) -> UnfailingStream<Kind, Result>
    ) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().flatMap { selector($0).asObservable() })
    }

    /// As `flatMapFirst` of streams: an element that comes while the stream of another runs is left out.
    public func flatMapFirst<Result>(
        _ selector: @escaping @Sendable (Element) -> UnfailingStream<Kind, Result>
    ) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(unfailing: asObservable().flatMapFirst { selector($0).asObservable() })
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
        _ second: UnfailingStream<Kind, Second>, resultSelector: @escaping @Sendable (Element, Second) -> Result
    ) -> UnfailingStream<Kind, Result> {
        UnfailingStream<Kind, Result>(
            unfailing: asObservable().withLatestFrom(second.asObservable(), resultSelector: resultSelector))
    }

    /// Calls `onNext` beside the stream, before each element goes on.
    public func `do`(onNext: @escaping @Sendable (Element) -> Void) -> Self {
        Self(unfailing: asObservable().do(onNext: onNext))
    }
}

extension UnfailingStream where Element: Equatable {
    /// Leaves out elements that equal the one sent before.
    public func distinctUntilChanged() -> Self {
        Self(unfailing: asObservable().distinctUntilChanged())
    }
}

extension UnfailingStream where Kind: MainLoopKind {
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

extension UnfailingStream where Kind: MainLoopKind {
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
