import Schedulers

/// The subscribers of a shared source, for any type of element: a lifetime disposes them with this code, which is not specialized.
@usableFromInline
class AnySharedSource: @unchecked Sendable {
    // Law 3: stored properties change only under the lock.
    @usableFromInline
    struct State {
        /// The lifetime of the subscription to the source.
        @usableFromInline var connection: Lifetime?
        @usableFromInline var subscribers = 0

        @inlinable
        init() {}
    }

    @usableFromInline final let state = Lock(State())

    @usableFromInline
    init() {}

    /// Removes a subscriber of `connection`; the last one ends it. If the source `hasStopped`, the connection ends at once, and the next
    /// subscriber makes a new one.
    @usableFromInline
    final func leave(_ connection: Lifetime, hasStopped: Bool) {
        let isLast = state.withLock { state -> Bool in
            guard state.connection === connection else { return false }
            state.subscribers -= 1
            guard state.subscribers == 0 || hasStopped else { return false }
            state.connection = nil
            return true
        }
        if isLast { connection.dispose() }
    }
}

/// The single subscription to a source that all subscribers share, made for the first and disposed with the last.
@usableFromInline
final class SharedSource<Held: ReplayBuffer>: AnySharedSource, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline typealias Element = Held.Element

    /// One subscription to the source: its lifetime, and the subject whose observers are the subscribers.
    ///
    /// It references the source, so that an observer or a place needs to capture nothing else.
    @usableFromInline
    final class Connection: Lifetime, @unchecked Sendable {
        // Law 3: only the core changes, which is safe from any thread.
        @usableFromInline let shared: AnySharedSource
        @usableFromInline let core: ReplayCore<Held>

        @inlinable
        init(of shared: AnySharedSource, core: ReplayCore<Held>) {
            self.shared = shared
            self.core = core
            super.init()
        }

        /// Without a source nothing can be emitted any more: the subscribers are released, and the connection ends.
        @usableFromInline
        override func memberWasAbandoned() {
            guard isEmpty else { return }
            core.abandon()
            shared.leave(self, hasStopped: true)
        }
    }

    /// The place of one subscriber in the subject of a connection. The connection counts it until its subscription ends.
    @usableFromInline
    final class Place: ReplaySlot<Element>, @unchecked Sendable {
        // Law 9: stored properties are constants.
        @usableFromInline let connection: Connection

        @inlinable
        init(of downstream: AnyObserver<Element>, _ lifetime: Lifetime, in connection: Connection) {
            self.connection = connection
            super.init(downstream, core: connection.core, parent: lifetime)
        }

        @inlinable
        override func tearDown() {
            super.tearDown()
            connection.shared.leave(connection, hasStopped: false)
        }
    }

    @usableFromInline let source: Observable<Element>
    /// The replay buffer of a new connection.
    @usableFromInline let held: Held
    /// The subject of all connections, if elements are kept without subscribers.
    @usableFromInline let kept: ReplayCore<Held>?
    /// The time of a replay buffer with a window.
    @usableFromInline let clock: (@Sendable () -> Duration)?

    @inlinable
    init(_ source: Observable<Element>, _ held: Held, isKept: Bool, clock: (@Sendable () -> Duration)? = nil) {
        self.source = source
        self.held = held
        self.clock = clock
        kept = isKept ? ReplayCore(held, clock: clock) : nil
        super.init()
    }

    @inlinable
    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        Probe.shared(self) { core in core.state.withLock { $0.connection != nil } }
        while true {
            let (connection, isNew) = join()
            let place = Place(of: downstream, lifetime, in: connection)
            if place.attach(), !connection.core.open(place, onlyIfRunning: kept == nil) {
                // The connection has terminated between the two steps: the subscriber leaves it, and makes a new one.
                leave(connection, hasStopped: true)
                continue
            }
            // The subscriber that made the connection starts it, even if it has been disposed: others may have joined.
            guard isNew, !connection.isDisposed else { return }
            // A subject that is kept beyond its termination replays its terminal event, and needs no connection.
            if kept?.hasStopped == true { leave(connection, hasStopped: true) } else { connect(connection) }
            return
        }
    }

    @inlinable
    func join() -> (Connection, isNew: Bool) {
        let running = state.withLock { state in
            state.subscribers += state.connection == nil ? 0 : 1
            return state.connection
        }
        if let running { return (Self.typed(running), false) }
        let fresh = Connection(of: self, core: kept ?? ReplayCore(held, clock: clock))
        return state.withLock { state in
            if let running = state.connection {
                state.subscribers += 1
                return (Self.typed(running), false)
            }
            state.connection = fresh
            state.subscribers = 1
            return (fresh, true)
        }
    }

    /// The connections of a source have only its own element type.
    @inlinable @inline(__always)
    static func typed(_ connection: Lifetime) -> Connection {
        unsafe unsafeDowncast(connection, to: Connection.self)
    }

    @inlinable
    func connect(_ connection: Connection) {
        Probe.connected(connection, to: self)
        source.start(
            .receiving { event in
                guard let event = event.take(in: connection) else { return }
                let isLast = event.isStopEvent
                connection.core.accept(event)
                if isLast { connection.shared.leave(connection, hasStopped: true) }
            }, connection)
    }
}
