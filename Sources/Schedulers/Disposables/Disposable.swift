/// What can be let go of: a subscription, a scheduled action, a resource.
///
/// Source: [ReactiveX, Subscribe](https://reactivex.io/documentation/operators/subscribe.html).
public protocol Disposable: AnyObject, Sendable {
    /// Lets go. Idempotent, callable from any thread; never waits and never queues.
    func dispose()
}

extension Disposable {
    /// Hands this to `bag`, which disposes it when the bag itself goes away.
    ///
    /// If the bag has been disposed already, this is disposed at once.
    public func disposed(by bag: DisposeBag) {
        bag.insert(self)
    }
}

/// Makes the plain disposables.
public enum Disposables {
    /// A disposable that does nothing.
    public static func create() -> any Disposable {
        EmptyDisposable.instance
    }

    /// A disposable that runs `action` once, on the thread that disposes it first.
    public static func create(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        ActionDisposable(action)
    }

    /// A disposable that disposes all of `disposables`, in their order.
    public static func create(_ disposables: any Disposable...) -> any Disposable {
        CompositeDisposable(disposables)
    }
}

/// The disposable that has nothing to let go of.
final class EmptyDisposable: Disposable {
    static let instance = EmptyDisposable()

    func dispose() {}
}

/// Runs a closure once and frees it.
final class ActionDisposable: Disposable {
    private let action: Lock<(@Sendable () -> Void)?>
    private let mark = Resources.Mark("ActionDisposable")

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Lock(action)
    }

    func dispose() {
        let action = action.withLock { $0.take() }
        LockProbe.expectNoLock()
        action?()
    }
}
