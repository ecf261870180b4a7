import Schedulers

/// How long the elements that `share(replay:scope:)` keeps stay.
public enum SubjectLifetimeScope: Sendable {
    /// Each connection starts with nothing kept.
    case whileConnected
    /// They stay, also when nobody listens and after the end.
    case forever
}

extension ObservableType {
    /// One subscription to this stream for all subscribers: made for the first, disposed with the last.
    ///
    /// ```swift
    /// let quotes = numbers.share()
    /// // --1--2--|
    /// // --1--2--|        for all subscribers, from one subscription
    /// ```
    ///
    /// A subscriber either joins the running connection before its terminal event is accepted and sees all later events, or starts a
    /// new one. Source: [ReactiveX, RefCount](https://reactivex.io/documentation/operators/refcount.html).
    public func share() -> Observable<Element> {
        share(replay: 0)
    }

    /// As ``share()``, and a new subscriber first gets the last `count` elements of the connection, or of all if `scope` is `forever`.
    ///
    /// ```swift
    /// let quotes = numbers.share(replay: 1)
    /// // --1--2--|
    /// // --1--2--|        who comes between the two gets 1 first
    /// ```
    ///
    /// Keeps `count` elements. Source: [RxSwift, share(replay:scope:)](https://reactivex.io/documentation/operators/replay.html).
    public func share(replay count: Int, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        let shared = Shared(asObservable(), replay: count, scope: scope)
        return Observable { downstream, lifetime in shared.subscribe(downstream, lifetime) }
    }
}

/// The subscription that the subscribers of a shared stream have in common.
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
        // What has stopped between the two steps is left, and another connection made.
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

    /// One subscriber of `connection` less; the last one ends it.
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
