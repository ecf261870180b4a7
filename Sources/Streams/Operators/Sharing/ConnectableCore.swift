import Schedulers
import Synchronization

/// The current subject of a connectable stream, the connection that feeds it, and its subscribers. Thread-safe.
@usableFromInline
final class ConnectableCore<Element: Sendable>: Sendable {
    /// Subscribes an observer to the source in a lifetime, and calls the closure before the terminal event.
    @usableFromInline typealias Start = @Sendable (AnyObserver<Element>, Lifetime, @escaping @Sendable () -> Void) -> Void

    private let start: Start
    private let makeSubject: @Sendable () -> (AnyObserver<Element>, Observable<Element>)
    /// `nil` between the end of a connection and the next subscriber or connection.
    private let current = Lock<Hub?>(nil)

    @usableFromInline
    init(_ start: @escaping Start, makeSubject: @escaping @Sendable () -> (AnyObserver<Element>, Observable<Element>)) {
        self.start = start
        self.makeSubject = makeSubject
    }

    /// Subscribes to the current subject.
    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        inspect()
        currentHub().output.start(downstream, lifetime)
    }

    /// Connects, unless it is connected; disposing the result disconnects.
    func connect() -> any Disposable {
        connect(currentHub())
    }

    /// Returns the stream of one connection, also after its end. The connection is made when there are `count` subscribers.
    func connected(after count: Int) -> Observable<Element> {
        let missing = Countdown(from: count)
        let joined = AtomicLazyReference<Hub>()
        return Observable { [self] downstream, lifetime in
            inspect()
            // The state is read again: since the first reading, the connection may have been made and have ended.
            let current = joined.load() ?? currentHub()
            let hub = joined.load() ?? current
            hub.output.start(downstream, lifetime)
            if missing.isLast() { _ = connect(joined.storeIfNil(hub)) }
        }
    }

    /// Subscribes to the subject of a connection, which is made for the first subscriber and disposed with the last.
    func subscribeCounted(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        inspect()
        let hub = currentHub { $0.subscribers += 1 }
        lifetime.add { [self] in leave(hub) }
        hub.output.start(downstream, lifetime)
        connectIfCounted(hub)
    }

    private func connect(_ hub: Hub) -> any Disposable {
        if let lifetime = current.withLock({ _ in hub.reserve() }) { run(hub, in: lifetime) }
        return hub.connection
    }

    private func connectIfCounted(_ hub: Hub) {
        let lifetime = current.withLock { _ -> Lifetime? in
            hub.subscribers > 0 ? hub.reserve() : nil
        }
        if let lifetime { run(hub, in: lifetime) }
    }

    /// Shows whether the running operator waits for a connection or has one.
    private func inspect() {
        Probe.shared(self) { core in core.current.withLock { $0?.isReserved ?? false } }
    }

    private func run(_ hub: Hub, in lifetime: Lifetime) {
        Probe.connected(lifetime, to: self)
        start(hub.input, lifetime) { [self] in forgetEnded() }
    }

    /// Removes a subscriber of `hub`, whose last one ends the connection. The hub is removed in the same step, so that later subscribers do
    /// not join it.
    private func leave(_ hub: Hub) {
        current.withLock { current -> Lifetime? in
            hub.subscribers -= 1
            guard hub.isReserved, hub.subscribers == 0 else { return nil }
            if current === hub { current = nil }
            return hub.connection.lifetime
        }?.dispose()
    }

    /// Drops the subject of a connection that has ended, and with it the elements that it replays.
    private func forgetEnded() {
        _ = current.withLock { hub in hub?.connection.lifetime.isDisposed == true ? hub.take() : nil }
    }

    /// Calls `change` under the lock and returns the current hub, or a new one if there is none or its connection has ended.
    private func currentHub(_ change: (Hub) -> Void = { _ in }) -> Hub {
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

    private static func running(_ hub: Hub?, _ change: (Hub) -> Void) -> Hub? {
        guard let hub, !hub.connection.lifetime.isDisposed else { return nil }
        change(hub)
        return hub
    }

    /// Disconnects when it is disposed. It does not retain the subject, so replayed elements are freed at the end of the connection.
    private final class Connection: Disposable {
        let lifetime = Lifetime()
        private weak let core: ConnectableCore?

        init(of core: ConnectableCore) {
            self.core = core
        }

        func dispose() {
            lifetime.dispose()
            core?.forgetEnded()
        }
    }

    /// A subject and its only connection. Mutable state is accessed only under the lock of the core (law 3).
    private final class Hub: @unchecked Sendable {
        let input: AnyObserver<Element>
        let output: Observable<Element>
        let connection: Connection
        /// Whether the connection has been made, or is being made.
        private(set) var isReserved = false
        /// The number of subscribers that are counted for `refCount`.
        var subscribers = 0

        init(of core: ConnectableCore, _ subject: (input: AnyObserver<Element>, output: Observable<Element>)) {
            (input, output) = subject
            connection = Connection(of: core)
        }

        /// Returns the connection to the first caller, which has to start it.
        func reserve() -> Lifetime? {
            guard !isReserved else { return nil }
            isReserved = true
            return connection.lifetime
        }
    }
}

/// Determines which of several callers, on any threads, is the last one that is awaited.
private final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(from count: Int) {
        left = Atomic(count)
    }

    /// Counts the caller, and returns whether it is the last one that is awaited.
    func isLast() -> Bool {
        left.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
