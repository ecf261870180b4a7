import Schedulers

/// A stream for views: it never fails, is heard on the main loop, and is shared; a new subscriber first gets the latest element.
///
/// ```swift
/// let image = getImage().asDriver(onErrorJustReturn: placeholder)
/// image.drive(imageView.rx.image).disposed(by: bag)
/// ```
///
/// The source is subscribed for the first subscriber and let go with the last.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Driver<Element: Sendable> = InfallibleSequence<DriverKind, Element>

/// The kind of `Driver`: shared with the latest element kept, while somebody listens.
public enum DriverKind: MainLoopKind {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

extension ObservableConvertibleType {
    /// This stream as a driver that sends `element` in place of an error and completes.
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        Driver(unfailing: onMainLoop.catchAndReturn(element))
    }

    /// This stream as a driver that goes on with `other` after an error.
    public func asDriver(onErrorDriveWith other: Driver<Element>) -> Driver<Element> {
        asDriver { _ in other }
    }

    /// This stream as a driver that goes on with what `recover` makes of an error.
    public func asDriver(onErrorRecover recover: @escaping @Sendable (any Error) -> Driver<Element>) -> Driver<Element> {
        Driver(unfailing: onMainLoop.catch { recover($0).asObservable() })
    }

    /// The stream heard on the main loop, so that a burst crosses to it once and not once a subscriber.
    var onMainLoop: Observable<Element> {
        asObservable().observe(on: MainScheduler.instance)
    }
}

extension BehaviorRelay {
    /// This relay as a driver: it cannot fail.
    public func asDriver() -> Driver<Element> {
        Driver(unfailing: onMainLoop)
    }
}

extension InfallibleSequence {
    /// This stream as a driver: it cannot fail.
    public func asDriver() -> Driver<Element> {
        Driver(unfailing: onMainLoop)
    }
}

extension InfallibleSequence where Kind == DriverKind {
    /// Sends the elements to `observer`: a binder, a relay, a subject.
    public func drive(_ observer: some ObserverType<Element>) -> any Disposable {
        asObservable().subscribe(observer)
    }

    /// Sends the elements to an observer of optionals, such as the binder of an optional property.
    public func drive(_ observer: some ObserverType<Element?>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Runs `onNext` on the main loop with each element, as main-actor code.
    public func drive(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(onNext, onCompleted, onDisposed)
    }

    /// Runs `onNext` on the main loop with `object`, held weakly, and each element.
    public func drive<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @MainActor @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        drive(Binder(object, binding: onNext))
    }
}
