extension ObservableType {
    /// Subscribes with a closure for each kind of event, called serially on the thread where the source emits.
    ///
    /// An error without an `onError` is reported to `Hooks.unhandledError`. `onDisposed` is called once, last: after the closure of the
    /// terminal event, or on disposal, after the event that is being handled. Releasing the result keeps the stream running. Source:
    /// [ReactiveX, Subscribe](https://reactivex.io/documentation/operators/subscribe.html).
    @inlinable @inline(__always)
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> any Disposable {
        let lifetime = Lifetime()
        let observer: AnyObserver<Element>
        if onError == nil, onCompleted == nil {
            // Most subscriptions pass only `onNext`: their observer captures less.
            observer = AnyObserver.receiving { event in
                switch event.take() {
                case .next(let element):
                    if !lifetime.isDisposed { onNext?(element) }
                case .error(let error):
                    if lifetime.end() { Hooks.unhandledError(error, in: lifetime) }
                case .completed: lifetime.end()
                }
            }
        } else {
            observer = AnyObserver.receiving { event in
                switch event.take() {
                case .next(let element):
                    if !lifetime.isDisposed { onNext?(element) }
                case .error(let error):
                    guard lifetime.end() else { return }
                    guard let onError else { return Hooks.unhandledError(error, in: lifetime) }
                    onError(error)
                case .completed:
                    if lifetime.end() { onCompleted?() }
                }
            }
        }
        if let onDisposed {
            asObservable().start(FinalAction(onDisposed, after: lifetime).delayed(by: observer), lifetime)
        } else {
            asObservable().start(observer, lifetime)
        }
        return lifetime
    }

    /// Subscribes with one closure for all events, called serially on the thread where the source emits.
    @inlinable @inline(__always)
    public func subscribe(_ on: @escaping @Sendable (Event<Element>) -> Void) -> any Disposable {
        let lifetime = Lifetime()
        asObservable().start(
            AnyObserver.receiving { event in
                if let event = event.take(in: lifetime) { on(event) }
            }, lifetime)
        return lifetime
    }

    /// Subscribes `observer`.
    @inlinable
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        observer.attach(to: asObservable())
    }
}
