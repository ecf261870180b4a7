import Schedulers

/// A stream with `bind`: any except drivers and signals, which have `drive` and `emit`.
public protocol BindableType<Element>: ObservableConvertibleType {}

extension InfallibleSequence: BindableType where Kind == TraitKind.Infallible {}

extension BindableType {
    /// Forwards the elements to `observer`: a binder, a relay, a subject.
    @inlinable
    public func bind(to observer: some ObserverType<Element>) -> any Disposable {
        observer.attach(to: asObservable())
    }

    /// Forwards the elements to an observer of optionals, such as the binder of an optional property.
    @inlinable
    public func bind(to observer: some ObserverType<Element?>) -> any Disposable {
        observer.attach(to: asObservable().map { $0 })
    }

    /// Forwards the elements to several observers, in order, from one subscription.
    @inlinable
    public func bind(
        to first: some ObserverType<Element>, _ second: some ObserverType<Element>, _ others: any ObserverType<Element>...
    ) -> any Disposable {
        asObservable().attach([first, second] + others)
    }

    /// Forwards the elements to several observers of optionals, in order, from one subscription.
    @inlinable
    public func bind(
        to first: some ObserverType<Element?>, _ second: some ObserverType<Element?>, _ others: any ObserverType<Element?>...
    ) -> any Disposable {
        asObservable().map { $0 }.attach([first, second] + others)
    }

    /// Calls `onNext` on the main loop with each element, as main-actor code.
    @inlinable
    public func bind(onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
        bind(
            to: Binder(scheduler: MainScheduler.instance) { element in
                MainScheduler.runOnMainActor { onNext(element) }
            })
    }

    /// Calls `onNext` on the main loop with `object`, captured weakly, and each element.
    @inlinable
    public func bind<Object: AnyObject & Sendable>(
        with object: Object, onNext: @escaping @MainActor @Sendable (Object, Element) -> Void
    ) -> any Disposable {
        bind(to: Binder(object, binding: onNext))
    }
}

extension ObservableType {
    /// Subscribes with closures that are called on the main loop as main-actor code; an error without an `onError` is reported to
    /// `Hooks.unhandledError`.
    @inlinable
    public func subscribeOnMain(
        onNext: (@MainActor @Sendable (Element) -> Void)? = nil,
        onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
        onCompleted: (@MainActor @Sendable () -> Void)? = nil
    ) -> any Disposable {
        var handle: (@Sendable (any Error) -> Void)?
        if let onError { handle = { error in MainScheduler.runOnMainActor { onError(error) } } }
        return observe(on: MainScheduler.instance).subscribe(
            onNext: { element in MainScheduler.runOnMainActor { onNext?(element) } },
            onError: handle,
            onCompleted: { MainScheduler.runOnMainActor { onCompleted?() } })
    }

    /// Subscribes with closures that receive `object`, captured weakly: once it is deallocated nothing is called any more.
    @inlinable
    public func subscribe<Object: AnyObject & Sendable>(
        with object: Object,
        onNext: (@Sendable (Object, Element) -> Void)? = nil,
        onError: (@Sendable (Object, any Error) -> Void)? = nil,
        onCompleted: (@Sendable (Object) -> Void)? = nil,
        onDisposed: (@Sendable (Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onNext: weakly(object, onNext), onError: weakly(object, onError), onCompleted: weakly(object, onCompleted),
            onDisposed: weakly(object, onDisposed))
    }
}

extension Observable {
    /// Forwards the elements to `observers`, in order, from one subscription.
    @inlinable
    func attach(_ observers: [any ObserverType<Element>]) -> any Disposable {
        let shared = publish()
        // Each is attached separately: a binder drops its queued elements when this is disposed (law 4).
        var subscriptions = observers.map { $0.attach(to: shared.asObservable()) }
        subscriptions.append(shared.connect())
        return CompositeDisposable(subscriptions)
    }
}

extension AnyObserver {
    /// Returns an observer whose closure is called on the main loop as main-actor code, serially and in the order of the events.
    @inlinable
    public static func main(_ on: @escaping @MainActor @Sendable (Event<Element>) -> Void) -> AnyObserver<Element> {
        // The events are the elements of the queue, as they may be those of several streams.
        let observer = AnyObserver<Event<Element>> { event in
            guard let event = event.element else { return }
            MainScheduler.runOnMainActor { on(event) }
        }
        let queue = DrainQueue(on: MainScheduler.instance, parent: nil, observer)
        return AnyObserver { event in queue.send(.next(event)) }
    }
}

extension Observer {
    /// Forwards the data to `observer`: a binder, a relay, a subject. Errors are passed to `onError`'s listener only.
    @inlinable @discardableResult
    public final func bind(to observer: some ObserverType<Model>) -> any Disposable {
        outcomes.compactMap { $0.data }.bind(to: observer)
    }

    /// Forwards the data to an observer of optionals, such as the binder of an optional property.
    @inlinable @discardableResult
    public final func bind(to observer: some ObserverType<Model?>) -> any Disposable {
        outcomes.compactMap { $0.data }.bind(to: observer)
    }

    /// Forwards the data to one observer and the errors to another: two binders of a view.
    @inlinable @discardableResult
    public final func bind(onCompleted: some ObserverType<Model>, onError: some ObserverType<any Error>) -> any Disposable {
        Disposables.create(bind(to: onCompleted), outcomes.compactMap { $0.error }.bind(to: onError))
    }

    /// Calls one closure with the data and one with the errors, on the main loop, as main-actor code.
    @inlinable @discardableResult
    public final func bind(
        onCompleted: @escaping @MainActor @Sendable (Model) -> Void, onError: @escaping @MainActor @Sendable (any Error) -> Void
    ) -> any Disposable {
        outcomes.bind { outcome in
            switch outcome {
            case .data(let model): onCompleted(model)
            case .failure(let error): onError(error)
            case .cancelled: break
            }
        }
    }
}
