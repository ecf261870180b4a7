import Schedulers

/// An observer whose listeners are main-actor code, called on the main loop: for presenters and views.
///
/// ```swift
/// service.users().onMain()
///     .onCompleted { [weak self] users in self?.show(users) }
///     .onError { [weak self] error in self?.show(error) }
///     .defer { [weak self] in self?.hideLoader() }
/// ```
///
/// A listener is called before its registration returns if the caller is on the main loop and the outcome is stored there. The rules of
/// listeners are those of ``Observer``.
public struct MainObserver<Model: Sendable>: Sendable {
    /// The underlying context, which delivers on the main loop; use it for operators.
    public let observer: Observer<Model>

    /// Registers a listener for data. Replaces the previous listener.
    @discardableResult public func onCompleted(_ listener: @escaping @MainActor @Sendable (Model) -> Void) -> Self {
        MainObserver(observer: observer.onCompleted { model in MainScheduler.runOnMainActor { listener(model) } })
    }

    /// Registers a listener for data that does not use it; see `onCompleted(_:)`.
    @_disfavoredOverload @discardableResult public func onCompleted(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        onCompleted { _ in listener() }
    }

    /// Registers a listener for errors. Replaces the previous listener.
    @discardableResult public func onError(_ listener: @escaping @MainActor @Sendable (any Error) -> Void) -> Self {
        MainObserver(observer: observer.onError { error in MainScheduler.runOnMainActor { listener(error) } })
    }

    /// Registers a listener for errors that does not use them; see `onError(_:)`.
    @discardableResult public func onError(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        onError { _ in listener() }
    }

    /// Registers a listener for the cancellation. Replaces the previous listener.
    @discardableResult public func onCancelled(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        MainObserver(observer: observer.onCancelled { MainScheduler.runOnMainActor(listener) })
    }

    /// Registers a listener that is called after data and after an error, not after a cancellation. Replaces the previous listener.
    @discardableResult public func `defer`(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        MainObserver(observer: observer.defer { MainScheduler.runOnMainActor(listener) })
    }

    /// Handles the errors of one type, which the listeners do not receive; see ``Observer/catchError(_:)``.
    public func catchError<Failure: Error>(_ handle: @escaping @MainActor @Sendable (Failure) -> Void) -> MainObserver<Model> {
        observer.catchError { (error: Failure) in MainScheduler.runOnMainActor { handle(error) } }.onMain()
    }

    /// Cancels the operation; see ``Observer/cancel()``.
    @discardableResult public func cancel() -> Self {
        MainObserver(observer: observer.cancel())
    }

    /// Removes all listeners immediately.
    @discardableResult public func unsubscribe() -> Self {
        MainObserver(observer: observer.unsubscribe())
    }
}

extension Observer {
    /// Returns this context for main-actor code: its listeners are `@MainActor` closures, called on the main loop.
    public final func onMain() -> MainObserver<Model> {
        MainObserver(observer: dispatchOn(MainScheduler.instance))
    }
}
