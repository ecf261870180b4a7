// Names of Combine on drivers, signals and infallible streams, so that the compiler can name the replacement.

import Schedulers

extension InfallibleSequence where Kind == DriverKind {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "drive(onNext:)")
    public func sink(receiveValue: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind == SignalKind {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "emit(onNext:)")
    public func sink(receiveValue: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind == InfallibleKind {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "subscribe(onNext:)")
    public func sink(receiveValue: @escaping @Sendable (Element) -> Void) -> any Disposable { unavailable() }

    /// Combine's `receive(on:)`.
    @available(*, unavailable, renamed: "observe(on:)")
    public func receive<Executor>(on scheduler: Executor) -> Self { unavailable() }
}

extension InfallibleSequence where Kind: MainLoopKind {
    /// Combine's `receive(on:)`.
    @available(*, unavailable, message: "drivers and signals are delivered on the main loop already")
    public func receive<Executor>(on scheduler: Executor) -> Self { unavailable() }
}

extension InfallibleSequence {
    /// Combine's `assign(to:on:)`.
    @available(*, unavailable, message: "a binder of the property takes the elements: object.rx.property")
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root) -> any Disposable { unavailable() }

    /// Combine's `eraseToAnyPublisher()`.
    @available(*, unavailable, message: "every driver, signal and infallible stream has one type already, without erasure")
    public func eraseToAnyPublisher() -> Self { unavailable() }

    /// Combine's `setFailureType(to:)`.
    @available(*, unavailable, message: "errors have no type: leave it out")
    public func setFailureType<Failure: Error>(to type: Failure.Type) -> Self { unavailable() }

    /// Combine's `handleEvents`.
    @available(*, unavailable, renamed: "do(onNext:)")
    public func handleEvents(receiveOutput: @escaping @Sendable (Element) -> Void) -> Self { unavailable() }

    /// Combine's `removeDuplicates()`.
    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Self { unavailable() }

    /// Combine's `prefix(_:)`.
    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Self { unavailable() }

    /// Combine's `dropFirst(_:)`.
    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Self { unavailable() }

    /// Combine's `prepend(_:)`.
    @available(*, unavailable, renamed: "startWith(_:)")
    public func prepend(_ elements: Element...) -> Self { unavailable() }
}
