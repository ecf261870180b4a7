import Synchronization

/// A resource that you can dispose: a subscription, a scheduled action, anything that must be released.
///
/// Source: [ReactiveX, Subscribe](https://reactivex.io/documentation/operators/subscribe.html).
public protocol Disposable: AnyObject, Sendable {
    /// Releases the resource. Idempotent and thread-safe; never blocks and never queues.
    func dispose()
}

extension Disposable {
    /// Adds this disposable to `bag`, which disposes it when the bag is deallocated.
    ///
    /// If the bag has been disposed already, this is disposed immediately.
    public func disposed(by bag: DisposeBag) {
        bag.insert(one: self)
    }
}

/// Factories of the basic disposables.
public enum Disposables {
    /// Returns a disposable that does nothing.
    public static func create() -> any Disposable {
        EmptyDisposable.instance
    }

    /// Returns a disposable that runs `action` once, on the thread that disposes it first.
    public static func create(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        ActionDisposable(action)
    }

    /// Returns a disposable that disposes all of `disposables`, in order.
    public static func create(_ disposables: any Disposable...) -> any Disposable {
        CompositeDisposable(disposables)
    }
}

/// The disposable without a resource.
package final class EmptyDisposable: Disposable {
    package static let instance = EmptyDisposable()

    package func dispose() {}
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

/// A disposable that only records whether it was disposed.
///
/// Source: [Rx.NET, BooleanDisposable](https://introtorx.com).
public final class BooleanDisposable: Disposable {
    private let disposed: Atomic<Bool>

    /// Creates a disposable, by default not disposed.
    public init(isDisposed: Bool = false) {
        disposed = Atomic(isDisposed)
    }

    /// Whether `dispose()` has been called. Thread-safe.
    public var isDisposed: Bool {
        disposed.load(ordering: .acquiring)
    }

    public func dispose() {
        disposed.store(true, ordering: .releasing)
    }
}

/// Disposes another disposable as an action of a scheduler, from any thread. Use it for a resource that may be disposed in one place only.
///
/// ```swift
/// let view = ScheduledDisposable(scheduler: MainScheduler.instance, disposable: Disposables.create { print("closed") })
/// ```
///
/// `dispose()` may return before the action has run. Source: [RxSwift,
/// ScheduledDisposable](https://github.com/ReactiveX/RxSwift/blob/main/RxSwift/Disposables/ScheduledDisposable.swift).
public final class ScheduledDisposable: Disposable {
    /// The scheduler on which the disposable is disposed.
    public let scheduler: any Scheduler
    private let disposable: Lock<(any Disposable)?>
    private let mark = Resources.Mark("ScheduledDisposable")

    /// Creates a disposable that disposes `disposable` on `scheduler`.
    public init(scheduler: any Scheduler, disposable: any Disposable) {
        self.scheduler = scheduler
        self.disposable = Lock(disposable)
    }

    /// Whether the action has run.
    public var isDisposed: Bool {
        disposable.withLock { $0 == nil }
    }

    public func dispose() {
        guard !isDisposed else { return }
        _ = scheduler.schedule { [self] in
            disposable.withLock { $0.take() }?.dispose()
        }
    }
}
