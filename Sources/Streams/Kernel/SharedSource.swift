import Schedulers

/// The one subscription to a source that all subscribers share, made for the first and disposed with the last.
@usableFromInline
final class SharedSource<Held: ReplayBuffer>: Sendable {
    @usableFromInline typealias Element = Held.Element

    /// One subscription to the source: its lifetime, and the subject whose observers are the subscribers.
    @usableFromInline
    final class Connection: Lifetime, @unchecked Sendable {
        // Law 3: only the core changes, which is safe from any thread.
        @usableFromInline let core: ReplayCore<Held>

        @inlinable
        init(core: ReplayCore<Held>) {
            self.core = core
            super.init(parent: nil, scope: nil)
        }
    }

    /// Counts one subscriber of a connection until its subscription ends.
    @usableFromInline
    final class Membership: LifetimeMember, @unchecked Sendable {
        // Law 4: nothing stored changes.
        @usableFromInline let shared: SharedSource
        @usableFromInline let connection: Connection

        @inlinable
        init(of lifetime: Lifetime, in connection: Connection, _ shared: SharedSource) {
            self.shared = shared
            self.connection = connection
            super.init(parent: lifetime)
        }

        @inlinable
        override func tearDown() {
            shared.leave(connection, hasStopped: false)
        }
    }

    @usableFromInline
    struct State {
        @usableFromInline var connection: Connection?
        @usableFromInline var subscribers = 0

        @inlinable
        init() {}
    }

    @usableFromInline let source: Observable<Element>
    /// The replay buffer of a new connection.
    @usableFromInline let held: Held
    /// The subject of all connections, if elements are kept without subscribers.
    @usableFromInline let kept: ReplayCore<Held>?
    @usableFromInline let state = Lock(State())
    /// The time of a replay buffer with a window.
    @usableFromInline let clock: (any Scheduler)?

    @inlinable
    init(_ source: Observable<Element>, _ held: Held, isKept: Bool, clock: (any Scheduler)? = nil) {
        self.source = source
        self.held = held
        self.clock = clock
        kept = isKept ? ReplayCore(held, clock: clock) : nil
    }

    @inlinable
    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        var (connection, isNew) = join()
        // A connection that has terminated between the two steps is left, and another one is made.
        while !connection.core.addReplaying(downstream, lifetime, onlyIfRunning: kept == nil) {
            leave(connection, hasStopped: true)
            (connection, isNew) = join()
        }
        Membership(of: lifetime, in: connection, self).attach()
        if isNew, !connection.isDisposed { connect(connection) }
    }

    @inlinable
    func join() -> (Connection, isNew: Bool) {
        let running = state.withLock { state in
            state.subscribers += state.connection == nil ? 0 : 1
            return state.connection
        }
        if let running { return (running, false) }
        let fresh = Connection(core: kept ?? ReplayCore(held, clock: clock))
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

    @inlinable
    func connect(_ connection: Connection) {
        source.start(
            AnyObserver { [self] event in
                guard connection.admits(event) else { return }
                let isLast = event.isStopEvent
                connection.core.accept(event)
                if isLast { forget(connection) }
            }, connection)
    }

    /// Removes a subscriber of `connection`; the last one ends it.
    @inlinable
    func leave(_ connection: Connection, hasStopped: Bool) {
        let isLast = state.withLock { state -> Bool in
            guard state.connection === connection else { return false }
            state.subscribers -= 1
            guard state.subscribers == 0 || hasStopped else { return false }
            state.connection = nil
            return true
        }
        if isLast { connection.dispose() }
    }

    @inlinable
    func forget(_ connection: Connection) {
        state.withLock { state in
            guard state.connection === connection, kept == nil else { return }
            state.connection = nil
        }
    }
}
