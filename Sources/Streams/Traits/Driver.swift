import Schedulers

/// A stream for views: it never fails, delivers on the main loop, and is shared; a new subscriber first receives the latest element.
///
/// ```swift
/// let image = getImage().asDriver(onErrorJustReturn: placeholder)
/// image.drive(imageView.rx.image).disposed(by: bag)
/// ```
///
/// The source is subscribed to for the first subscriber and disposed with the last.
/// Source: [RxSwift, Traits](https://github.com/ReactiveX/RxSwift/blob/main/Documentation/Traits.md).
public typealias Driver<Element: Sendable> = InfallibleSequence<TraitKind.Driver, Element>

extension TraitKind {
    /// The kind of `Driver`: shared, with the latest element replayed while there are subscribers.
    public enum Driver: OnMainLoop {
        @inlinable
        public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
            source.share(replay: 1, scope: .whileConnected)
        }
    }
}

extension ObservableConvertibleType {
    /// Returns this stream as a driver that emits `element` instead of an error and completes.
    @inlinable
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        Driver(infallible: onMainLoop.catchAndReturn(element))
    }

    /// Returns this stream as a driver that continues with `other` after an error.
    @inlinable
    public func asDriver(onErrorDriveWith other: Driver<Element>) -> Driver<Element> {
        asDriver { _ in other }
    }

    /// Returns this stream as a driver that continues with the result of `recover` after an error.
    @inlinable
    public func asDriver(onErrorRecover recover: @escaping @Sendable (any Error) -> Driver<Element>) -> Driver<Element> {
        Driver(infallible: onMainLoop.catch { recover($0).asObservable() })
    }

    /// The stream observed on the main loop, so that a burst is dispatched once rather than once for each subscriber.
    @inlinable var onMainLoop: Observable<Element> {
        asObservable().observe(on: MainLoopDelivery.scheduler)
    }
}

extension BehaviorRelay {
    /// Returns this relay as a driver: it cannot fail.
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(infallible: onMainLoop)
    }
}

extension InfallibleSequence {
    /// Returns this stream as a driver: it cannot fail.
    @inlinable
    public func asDriver() -> Driver<Element> {
        Driver(infallible: onMainLoop)
    }
}

extension InfallibleSequence where Kind == TraitKind.Driver {
    /// Forwards the elements to `observer`: a binder, a relay, a subject.
    @inlinable
    public func drive(_ observer: some ObserverType<Element>) -> any Disposable {
        asObservable().subscribe(observer)
    }

    /// Forwards the elements to an observer of optionals, such as the binder of an optional property.
    @inlinable
    public func drive(_ observer: some ObserverType<Element?>) -> any Disposable {
        asObservable().bind(to: observer)
    }

    /// Forwards the elements to several observers, in order, from one subscription.
    @inlinable
    public func drive(
        _ first: some ObserverType<Element>, _ second: some ObserverType<Element>, _ others: any ObserverType<Element>...
    ) -> any Disposable {
        asObservable().attach([first, second] + others)
    }

    /// Forwards the elements to several observers of optionals, in order, from one subscription.
    @inlinable
    public func drive(
        _ first: some ObserverType<Element?>, _ second: some ObserverType<Element?>, _ others: any ObserverType<Element?>...
    ) -> any Disposable {
        asObservable().map { $0 }.attach([first, second] + others)
    }

    /// Calls `onNext` on the main loop with each element, as main-actor code.
    @inlinable
    public func drive(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(onNext, onCompleted, onDisposed)
    }

    /// Calls the closures like `drive(onNext:onCompleted:onDisposed:)`, with `object`, captured weakly: after its deallocation no closure
    /// is called any more.
    @inlinable
    public func drive<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@MainActor @Sendable (Object, Element) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeOnMain(with: object, onNext, onCompleted, onDisposed)
    }
}
