import Schedulers

/// An observer whose listeners are main-actor code, called on the main loop: what a presenter or a view listens with.
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
    /// The context behind it, which delivers on the main loop; operators continue from it.
    public let observer: Observer<Model>

    /// Calls `listener` with the data. Replaces the listener before.
    @discardableResult public func onCompleted(_ listener: @escaping @MainActor @Sendable (Model) -> Void) -> Self {
        MainObserver(observer: observer.onCompleted { model in MainScheduler.runOnMainActor { listener(model) } })
    }

    /// Calls `listener` when there is data: `onCompleted(_:)` for one who does not need it.
    @_disfavoredOverload @discardableResult public func onCompleted(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        onCompleted { _ in listener() }
    }

    /// Calls `listener` with the error. Replaces the listener before.
    @discardableResult public func onError(_ listener: @escaping @MainActor @Sendable (any Error) -> Void) -> Self {
        MainObserver(observer: observer.onError { error in MainScheduler.runOnMainActor { listener(error) } })
    }

    /// Calls `listener` when there is an error: `onError(_:)` for one who does not need it.
    @discardableResult public func onError(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        onError { _ in listener() }
    }

    /// Calls `listener` when the operation is cancelled. Replaces the listener before.
    @discardableResult public func onCancelled(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        MainObserver(observer: observer.onCancelled { MainScheduler.runOnMainActor(listener) })
    }

    /// Calls `listener` after data and after an error, not after a cancel. Replaces the listener before.
    @discardableResult public func `defer`(_ listener: @escaping @MainActor @Sendable () -> Void) -> Self {
        MainObserver(observer: observer.defer { MainScheduler.runOnMainActor(listener) })
    }

    /// Handles the errors of one type; nothing goes to the listeners then. Otherwise as ``Observer/catchError(_:)``.
    public func catchError<Failure: Error>(_ handle: @escaping @MainActor @Sendable (Failure) -> Void) -> MainObserver<Model> {
        observer.catchError { (error: Failure) in MainScheduler.runOnMainActor { handle(error) } }.onMain()
    }

    /// Cancels the operation: ``Observer/cancel()``.
    @discardableResult public func cancel() -> Self {
        MainObserver(observer: observer.cancel())
    }

    /// Drops all listeners, at once.
    @discardableResult public func unsubscribe() -> Self {
        MainObserver(observer: observer.unsubscribe())
    }
}

extension Observer {
    /// This context for main-actor code: its listeners are `@MainActor` closures, called on the main loop.
    public final func onMain() -> MainObserver<Model> {
        MainObserver(observer: dispatchOn(MainScheduler.instance))
    }
}
