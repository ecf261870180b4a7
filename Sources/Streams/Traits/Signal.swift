import Schedulers

/// A stream of events for views: it never fails, delivers on the main loop, and is shared, without replay for new subscribers.
///
/// ```swift
/// let taps = button.taps.asSignal(onErrorSignalWith: .empty())
/// taps.emit(onNext: { screen.refresh() }).disposed(by: bag)
/// ```
///
/// The source is subscribed to for the first subscriber and disposed with the last.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Signal<Element: Sendable> = InfallibleSequence<TraitKind.Signal, Element>

extension TraitKind {
    /// The kind of `Signal`: shared, without replay.
    public enum Signal: OnMainLoop {
        @inlinable
        public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
            source.share()
        }
    }
}

extension ObservableConvertibleType {
    /// Returns this stream as a signal that emits `element` instead of an error and completes.
    @inlinable
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        Signal(infallible: onMainLoop.catchAndReturn(element))
    }

    /// Returns this stream as a signal that continues with `other` after an error.
    @inlinable
    public func asSignal(onErrorSignalWith other: Signal<Element>) -> Signal<Element> {
        asSignal { _ in other }
    }

    /// Returns this stream as a signal that continues with the result of `recover` after an error.
    @inlinable
    public func asSignal(onErrorRecover recover: @escaping @Sendable (any Error) -> Signal<Element>) -> Signal<Element> {
        Signal(infallible: onMainLoop.catch { recover($0).asObservable() })
    }
}

extension PublishRelay {
    /// Returns this relay as a signal: it cannot fail.
    @inlinable
    public func asSignal() -> Signal<Element> {
        Signal(infallible: onMainLoop)
    }
}

extension InfallibleSequence {
    /// Returns this stream as a signal: it cannot fail.
    @inlinable
    public func asSignal() -> Signal<Element> {
        Signal(infallible: onMainLoop)
    }
}

extension InfallibleSequence where Kind == TraitKind.Signal {
    /// Forwards the elements to `observer`: a binder, a relay, a subject.
    @inlinable
    public func emit(to observer: some ObserverType<Element>) -> any Disposable {
        asObservable().subscribe(observer)
    }

    /// Forwards the elements to an observer of optionals, such as the binder of an optional property.
    @inlinable
    public func emit(to observer: some ObserverType<Element?>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Forwards the elements to several observers, in order, from one subscription.
    @inlinable
    public func emit(
        to first: some ObserverType<Element>, _ second: some ObserverType<Element>, _ others: any ObserverType<Element>...
    ) -> any Disposable {
        asObservable().attach([first, second] + others)
    }

    /// Forwards the elements to several observers of optionals, in order, from one subscription.
    @inlinable
    public func emit(
        to first: some ObserverType<Element?>, _ second: some ObserverType<Element?>, _ others: any ObserverType<Element?>...
    ) -> any Disposable {
        asObservable().map { $0 }.attach([first, second] + others)
    }

    /// Calls `onNext` on the main loop with each element, as main-actor code.
    @inlinable
    public func emit(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(onNext, onCompleted, onDisposed)
    }

    /// Calls the closures like `emit(onNext:onCompleted:onDisposed:)`, with `object`, captured weakly: after its deallocation no closure is
    /// called any more.
    @inlinable
    public func emit<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(with: object, onNext, onCompleted, onDisposed)
    }
}
