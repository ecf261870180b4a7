import Schedulers

/// A stream of events for views: it never fails, is heard on the main loop, and is shared; nothing is sent again to a new subscriber.
///
/// ```swift
/// let taps = button.taps.asSignal(onErrorSignalWith: .empty())
/// taps.emit(onNext: { screen.refresh() }).disposed(by: bag)
/// ```
///
/// The source is subscribed for the first subscriber and let go with the last.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Signal<Element: Sendable> = InfallibleSequence<SignalKind, Element>

/// The kind of `Signal`: shared, with nothing kept.
public enum SignalKind: MainLoopKind {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share()
    }
}

extension ObservableConvertibleType {
    /// This stream as a signal that sends `element` in place of an error and completes.
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        Signal(unfailing: onMainLoop.catchAndReturn(element))
    }

    /// This stream as a signal that goes on with `other` after an error.
    public func asSignal(onErrorSignalWith other: Signal<Element>) -> Signal<Element> {
        asSignal { _ in other }
    }

    /// This stream as a signal that goes on with what `recover` makes of an error.
    public func asSignal(onErrorRecover recover: @escaping @Sendable (any Error) -> Signal<Element>) -> Signal<Element> {
        Signal(unfailing: onMainLoop.catch { recover($0).asObservable() })
    }
}

extension PublishRelay {
    /// This relay as a signal: it cannot fail.
    public func asSignal() -> Signal<Element> {
        Signal(unfailing: onMainLoop)
    }
}

extension InfallibleSequence {
    /// This stream as a signal: it cannot fail.
    public func asSignal() -> Signal<Element> {
        Signal(unfailing: onMainLoop)
    }
}

extension InfallibleSequence where Kind == SignalKind {
    /// Sends the elements to `observer`: a binder, a relay, a subject.
    public func emit(to observer: some ObserverType<Element>) -> any Disposable {
        asObservable().subscribe(observer)
    }

    /// Sends the elements to an observer of optionals, such as the binder of an optional property.
    public func emit(to observer: some ObserverType<Element?>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Runs `onNext` on the main loop with each element, as main-actor code.
    public func emit(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(onNext, onCompleted, onDisposed)
    }

    /// Runs `onNext` on the main loop with `object`, held weakly, and each element.
    public func emit<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @MainActor @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        emit(to: Binder(object, binding: onNext))
    }
}
