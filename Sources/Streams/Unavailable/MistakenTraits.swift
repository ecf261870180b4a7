// Calls that the traits do not have, so that the compiler can name the replacement.

import Schedulers

extension InfallibleSequence where Kind == TraitKind.Driver {
    /// A driver is driven.
    @available(*, unavailable, renamed: "drive(onNext:onCompleted:onDisposed:)")
    public func subscribe(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil, onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable { unavailable() }

    /// A driver is driven.
    @available(*, unavailable, renamed: "drive(onNext:)")
    public func bind(onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }

    /// A driver is driven.
    @available(*, unavailable, renamed: "drive(_:)")
    public func bind<Receiver: ObserverType>(to observer: Receiver) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind == TraitKind.Signal {
    /// A signal emits.
    @available(*, unavailable, renamed: "emit(onNext:onCompleted:onDisposed:)")
    public func subscribe(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil, onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable { unavailable() }

    /// A signal emits.
    @available(*, unavailable, renamed: "emit(onNext:)")
    public func bind(onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }

    /// A signal emits.
    @available(*, unavailable, renamed: "emit(to:)")
    public func bind<Receiver: ObserverType>(to observer: Receiver) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind: TraitKind.OnMainLoop {
    /// Drivers and signals are timed by the main loop.
    @available(*, unavailable, message: "drivers and signals are timed by the main loop: use debounce(_:)")
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Self { unavailable() }

    /// Drivers and signals are timed by the main loop.
    @available(*, unavailable, message: "drivers and signals are timed by the main loop: use throttle(_:latest:)")
    public func throttle(_ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler) -> Self { unavailable() }

    /// Drivers and signals are timed by the main loop.
    @available(*, unavailable, message: "drivers and signals are timed by the main loop: use delay(_:)")
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Self { unavailable() }
}

extension InfallibleSequence {
    /// The inner streams of a trait are of the same trait.
    @available(*, unavailable, message: "the inner stream may fail, or is another trait: convert it, as with asDriver(onErrorJustReturn:)")
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> InfallibleSequence<Kind, Source.Element> { unavailable() }

    /// The inner streams of a trait are of the same trait.
    @available(*, unavailable, message: "the inner stream may fail, or is another trait: convert it, as with asDriver(onErrorJustReturn:)")
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) -> Source
    ) -> InfallibleSequence<Kind, Source.Element> { unavailable() }
}

extension PrimitiveSequence where Kind == TraitKind.Single {
    /// A single is created with a closure that takes its result, not with an observer.
    @available(*, unavailable, message: "a single has one result: call the closure with .success(_:) or .failure(_:)")
    public static func create(_ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable) -> Self { unavailable() }

    /// A single succeeds or fails.
    @available(*, unavailable, renamed: "subscribe(onSuccess:onFailure:onDisposed:)")
    public func subscribe(
        onNext: @escaping @Sendable (Element) -> Void, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable { unavailable() }
}

extension PrimitiveSequence where Kind == TraitKind.Maybe {
    /// A maybe succeeds, completes or fails.
    @available(*, unavailable, renamed: "subscribe(onSuccess:onError:onCompleted:onDisposed:)")
    public func subscribe(
        onNext: @escaping @Sendable (Element) -> Void, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable { unavailable() }
}
