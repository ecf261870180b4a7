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
