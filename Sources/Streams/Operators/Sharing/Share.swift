import Schedulers

/// The lifetime of the elements replayed by `share(replay:scope:)`.
public enum SubjectLifetimeScope: Sendable {
    /// Each connection starts with an empty replay buffer.
    case whileConnected
    /// Elements are kept without subscribers and after termination.
    case forever
}

extension ObservableType {
    /// Shares one subscription to this stream among all subscribers: made for the first, disposed with the last.
    ///
    /// ```swift
    /// let quotes = numbers.share()
    /// // --1--2--|
    /// // --1--2--|        for all subscribers, from one subscription
    /// ```
    ///
    /// A subscriber either joins the current connection before its terminal event is accepted and receives all later events, or starts a
    /// new one.
    ///
    /// Source: [ReactiveX, RefCount](https://reactivex.io/documentation/operators/refcount.html).
    public func share() -> Observable<Element> {
        share(replay: 0)
    }

    /// Like ``share()``, but a new subscriber first receives the last `count` elements of the connection, or of all connections if `scope`
    /// is `forever`.
    ///
    /// ```swift
    /// let quotes = numbers.share(replay: 1)
    /// // --1--2--|
    /// // --1--2--|        who comes between the two gets 1 first
    /// ```
    ///
    /// Stores `count` elements. Source: [RxSwift, share(replay:scope:)](https://reactivex.io/documentation/operators/replay.html).
    public func share(replay count: Int, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        let shared = Shared(asObservable(), replay: count, scope: scope)
        return Observable { downstream, lifetime in shared.subscribe(downstream, lifetime) }
    }
}

/// The shared subscription.
private final class Shared<Element: Sendable>: Sendable {
    private typealias Core = ReplayCore<RecentElements<Element>>

    /// One subscription to the source.
    private final class Connection: Sendable {
        let core: Core
        let lifetime = Lifetime()

        init(core: Core) {
            self.core = core
        }
    }

    private struct State {
        var connection: Connection?
        var subscribers = 0
    }

    private let source: Observable<Element>
    private let replay: Int
    private let kept: Core?
    private let state = Lock(State())

    init(_ source: Observable<Element>, replay: Int, scope: SubjectLifetimeScope) {
        self.source = source
        self.replay = replay
        kept = scope == .forever ? Core(RecentElements(limit: replay, window: nil)) : nil
    }

    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        var (connection, isNew) = join()
        // A connection that has terminated between the two steps is left, and another one is made.
        while !connection.core.addReplaying(downstream, lifetime, onlyIfRunning: kept == nil) {
            leave(connection, hasStopped: true)
            (connection, isNew) = join()
        }
        lifetime.add { [self, connection] in leave(connection, hasStopped: false) }
        if isNew, !connection.lifetime.isDisposed { connect(connection) }
    }

    private func join() -> (Connection, isNew: Bool) {
        let fresh = Connection(core: kept ?? Core(RecentElements(limit: replay, window: nil)))
        return state.withLock { state in
            if let running = state.connection {
                state.subscribers += 1
                return (running, false)
            }
            state.connection = fresh
            state.subscribers = 1
            return (fresh, true)
        }
    }

    private func connect(_ connection: Connection) {
        source.start(
            AnyObserver { [self] event in
                guard event.isStopEvent else {
                    guard !connection.lifetime.isDisposed else { return }
                    return connection.core.accept(event)
                }
                guard connection.lifetime.end() else { return }
                connection.core.accept(event)
                forget(connection)
            }, connection.lifetime)
    }

    /// Removes a subscriber of `connection`; the last one ends it.
    private func leave(_ connection: Connection, hasStopped: Bool) {
        let isLast = state.withLock { state -> Bool in
            guard state.connection === connection else { return false }
            state.subscribers -= 1
            guard state.subscribers == 0 || hasStopped else { return false }
            state.connection = nil
            return true
        }
        if isLast { connection.lifetime.dispose() }
    }

    private func forget(_ connection: Connection) {
        state.withLock { state in
            guard state.connection === connection, kept == nil else { return }
            state.connection = nil
        }
    }
}
