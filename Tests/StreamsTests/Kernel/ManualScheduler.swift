import StreamsTesting

/// A scheduler whose clock stands where it is put, and which runs one action at a time, when it is told to.
final class ManualScheduler: Scheduler {
    let time = Lock(Duration.zero)
    private let waiting = Lock<[(action: @Sendable () -> Void, item: BooleanDisposable)]>([])
    private let runsDisposed: Bool

    /// - Parameter runsDisposed: whether an action that was disposed runs, as one does that had begun before.
    init(runsDisposed: Bool = false) {
        self.runsDisposed = runsDisposed
    }

    var now: Duration { time.withLock { $0 } }

    func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        let item = BooleanDisposable()
        waiting.withLock { $0.append((action, item)) }
        return item
    }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) -> any Disposable {
        schedule(action)
    }

    /// Runs the next action; false if there is none.
    @discardableResult
    func step() -> Bool {
        let next = waiting.withLock { waiting -> (@Sendable () -> Void)? in
            if !runsDisposed { waiting.removeAll { $0.item.isDisposed } }
            return waiting.isEmpty ? nil : waiting.removeFirst().action
        }
        next?()
        return next != nil
    }
}
