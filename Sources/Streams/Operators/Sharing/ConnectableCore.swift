import Schedulers
import Synchronization

/// The current subject of a connectable stream, the connection that feeds it, and its subscribers. Thread-safe.
@usableFromInline
final class ConnectableCore<Element: Sendable>: Sendable {
    /// Subscribes an observer to the source in a lifetime, and calls the closure before the terminal event.
    @usableFromInline typealias Start = @Sendable (AnyObserver<Element>, Lifetime, @escaping @Sendable () -> Void) -> Void

    @usableFromInline let start: Start
    @usableFromInline let makeSubject: @Sendable () -> (AnyObserver<Element>, Observable<Element>)
    /// `nil` between the end of a connection and the next subscriber or connection.
    @usableFromInline let current = Lock<Hub?>(nil)

    @inlinable
    init(_ start: @escaping Start, makeSubject: @escaping @Sendable () -> (AnyObserver<Element>, Observable<Element>)) {
        self.start = start
        self.makeSubject = makeSubject
    }

    /// Subscribes to the current subject.
    @inlinable
    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        inspect()
        currentHub().output.start(downstream, lifetime)
    }

    /// Connects, unless it is connected; disposing the result disconnects.
    @inlinable
    func connect() -> any Disposable {
        connect(currentHub())
    }

    /// Returns the stream of one connection, also after its end. The connection is made when there are `count` subscribers.
    @inlinable
    func connected(after count: Int) -> Observable<Element> {
        let missing = Countdown(from: count)
        let joined = AtomicLazyReference<Hub>()
        return Observable { [self] downstream, lifetime in
            inspect()
            // The state is read again: since the first reading, the connection may have been made and have ended.
            let current = joined.load() ?? currentHub()
            let hub = joined.load() ?? current
            hub.output.start(downstream, lifetime)
            if missing.countDown() { _ = connect(joined.storeIfNil(hub)) }
        }
    }

    /// Subscribes to the subject of a connection, which is made for the first subscriber and disposed with the last.
    @inlinable
    func subscribeCounted(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        inspect()
        let hub = currentHub { $0.subscribers += 1 }
        lifetime.add { [self] in leave(hub) }
        hub.output.start(downstream, lifetime)
        connectIfCounted(hub)
    }

    @inlinable
    func connect(_ hub: Hub) -> any Disposable {
        if let lifetime = current.withLock({ _ in hub.reserve() }) { run(hub, in: lifetime) }
        return hub.connection
    }

    @inlinable
    func connectIfCounted(_ hub: Hub) {
        let lifetime = current.withLock { _ -> Lifetime? in
            hub.subscribers > 0 ? hub.reserve() : nil
        }
        if let lifetime { run(hub, in: lifetime) }
    }

    /// Shows whether the running operator waits for a connection or has one.
    @inlinable
    func inspect() {
        Probe.shared(self) { core in core.current.withLock { $0?.isReserved ?? false } }
    }

    @inlinable
    func run(_ hub: Hub, in lifetime: Lifetime) {
        Probe.connected(lifetime, to: self)
        start(hub.input, lifetime) { [self] in forgetEnded() }
    }

    /// Removes a subscriber of `hub`, whose last one ends the connection. The hub is removed in the same step, so that later subscribers do
    /// not join it.
    @inlinable
    func leave(_ hub: Hub) {
        current.withLock { current -> Lifetime? in
            hub.subscribers -= 1
            guard hub.isReserved, hub.subscribers == 0 else { return nil }
            if current === hub { current = nil }
            return hub.connection.lifetime
        }?.dispose()
    }

    /// Drops the subject of a connection that has ended, and with it the elements that it replays.
    @inlinable
    func forgetEnded() {
        _ = current.withLockInlined { hub in hub?.connection.lifetime.isDisposed == true ? hub.take() : nil }
    }

    /// Calls `change` under the lock and returns the current hub, or a new one if there is none or its connection has ended.
    @inlinable
    func currentHub(_ change: (Hub) -> Void = { _ in }) -> Hub {
        let running = current.withLock { hub in Self.running(hub, change) }
        if let running { return running }
        // A closure of the user creates the subject, and the release of the previous one may run user code: neither happens under the lock.
        let fresh = Hub(of: self, makeSubject())
        let (hub, _) = current.withLock { hub -> (Hub, replaced: Hub?) in
            if let running = Self.running(hub, change) { return (running, nil) }
            let replaced = hub
            hub = fresh
            change(fresh)
            return (fresh, replaced)
        }
        return hub
    }

    @inlinable
    static func running(_ hub: Hub?, _ change: (Hub) -> Void) -> Hub? {
        guard let hub, !hub.connection.lifetime.isDisposed else { return nil }
        change(hub)
        return hub
    }

    /// Disconnects when it is disposed. It does not retain the subject, so replayed elements are freed at the end of the connection.
    @usableFromInline
    final class Connection: Disposable {
        @usableFromInline let lifetime = Lifetime()
        @usableFromInline weak let core: ConnectableCore?

        @inlinable
        init(of core: ConnectableCore) {
            self.core = core
        }

        @inlinable
        func dispose() {
            lifetime.dispose()
            core?.forgetEnded()
        }
    }

    /// A subject and its only connection. Mutable state is accessed only under the lock of the core (law 3).
    @usableFromInline
    final class Hub: @unchecked Sendable {
        @usableFromInline let input: AnyObserver<Element>
        @usableFromInline let output: Observable<Element>
        @usableFromInline let connection: Connection
        /// Whether the connection has been made, or is being made.
        @usableFromInline var isReserved = false
        /// The number of subscribers that are counted for `refCount`.
        @usableFromInline var subscribers = 0

        @inlinable
        init(of core: ConnectableCore, _ subject: (input: AnyObserver<Element>, output: Observable<Element>)) {
            (input, output) = subject
            connection = Connection(of: core)
        }

        /// Returns the connection to the first caller, which has to start it.
        @inlinable
        func reserve() -> Lifetime? {
            guard !isReserved else { return nil }
            isReserved = true
            return connection.lifetime
        }
    }
}

/// Determines which of several callers, on any threads, is the last one that is awaited.
@usableFromInline
package final class Countdown: Sendable {
    @usableFromInline let left: Atomic<Int>

    @inlinable
    package init(from count: Int) {
        left = Atomic(count)
    }

    /// Counts the caller, and returns whether it is the last one that is awaited.
    @inlinable
    package func countDown() -> Bool {
        left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
