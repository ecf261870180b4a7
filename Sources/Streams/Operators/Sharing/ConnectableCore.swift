import Schedulers
import Synchronization

/// The connections of a connectable stream, for any type of element: they are disposed by this code, which is not specialized. Thread-safe.
@usableFromInline
class AnyConnectableCore: @unchecked Sendable {
    // Law 3: stored properties change only under the lock.
    /// `nil` between the end of a connection and the next subscriber or connection.
    private final let current = Lock<Hub?>(nil)

    @usableFromInline
    init() {}

    /// Returns the current hub, and counts a subscriber of it if `isCounted`; `nil` if there is none, or its connection has ended.
    @usableFromInline
    final func running(counting isCounted: Bool) -> Hub? {
        current.withLock { Self.join($0, isCounted) }
    }

    /// Makes `fresh` the current hub, unless another thread has done so with one of its own, and joins it like `running(counting:)`.
    @usableFromInline
    final func begin(_ fresh: Hub, counting isCounted: Bool) -> Hub {
        // The release of the previous subject may run user code, so it does not happen under the lock.
        let (hub, _) = current.withLock { current -> (Hub, replaced: Hub?) in
            if let running = Self.join(current, isCounted) { return (running, nil) }
            let replaced = current
            current = fresh
            if isCounted { fresh.subscribers += 1 }
            return (fresh, replaced)
        }
        return hub
    }

    private static func join(_ hub: Hub?, _ isCounted: Bool) -> Hub? {
        guard let hub, !hub.connection.lifetime.isDisposed else { return nil }
        if isCounted { hub.subscribers += 1 }
        return hub
    }

    /// Returns the lifetime of the hub's connection to the first caller, which has to start it; with `ifCounted`, only if the hub has
    /// subscribers that are counted.
    @usableFromInline
    final func reserve(_ hub: Hub, ifCounted: Bool) -> Lifetime? {
        current.withLock { _ in
            guard !hub.isReserved, !ifCounted || hub.subscribers > 0 else { return nil }
            hub.isReserved = true
            return hub.connection.lifetime
        }
    }

    /// Removes a subscriber of `hub`, whose last one ends the connection. The hub is removed in the same step, so that later subscribers do
    /// not join it.
    @usableFromInline
    final func leave(_ hub: Hub) {
        current.withLock { current -> Lifetime? in
            hub.subscribers -= 1
            guard hub.isReserved, hub.subscribers == 0 else { return nil }
            if current === hub { current = nil }
            return hub.connection.lifetime
        }?.dispose()
    }

    /// Drops the subject of a connection that has ended, and with it the elements that it replays.
    @usableFromInline
    final func forgetEnded() {
        _ = current.withLock { hub in hub?.connection.lifetime.isDisposed == true ? hub.take() : nil }
    }

    /// Shows whether the running operator waits for a connection or has one.
    @inlinable
    final func inspect() {
        Probe.shared(self) { core in core.isReserved }
    }

    @usableFromInline
    final var isReserved: Bool { current.withLock { $0?.isReserved ?? false } }

    /// Disconnects when it is disposed. It does not retain the subject, so replayed elements are freed at the end of the connection.
    @usableFromInline
    final class Connection: Disposable {
        @usableFromInline let lifetime = Lifetime()
        private weak let core: AnyConnectableCore?

        fileprivate init(of core: AnyConnectableCore) {
            self.core = core
        }

        @usableFromInline
        func dispose() {
            lifetime.dispose()
            core?.forgetEnded()
        }
    }

    /// A subject and its only connection. Mutable state is accessed only under the lock of the core (law 3).
    @usableFromInline
    class Hub: @unchecked Sendable {
        @usableFromInline final let connection: Connection
        /// Whether the connection has been made, or is being made.
        fileprivate final var isReserved = false
        /// The number of subscribers that are counted for `refCount`.
        fileprivate final var subscribers = 0

        @usableFromInline
        init(of core: AnyConnectableCore) {
            connection = Connection(of: core)
        }
    }
}

/// The current subject of a connectable stream, the connection that feeds it, and its subscribers.
@usableFromInline
final class ConnectableCore<Element: Sendable>: AnyConnectableCore, @unchecked Sendable {
    // Law 9: stored properties are constants.
    /// Subscribes an observer to the source in a lifetime, and calls the closure before the terminal event.
    @usableFromInline typealias Start = @Sendable (AnyObserver<Element>, Lifetime, @escaping @Sendable () -> Void) -> Void

    @usableFromInline let start: Start
    @usableFromInline let makeSubject: @Sendable () -> (AnyObserver<Element>, Observable<Element>)

    @inlinable
    init(_ start: @escaping Start, makeSubject: @escaping @Sendable () -> (AnyObserver<Element>, Observable<Element>)) {
        self.start = start
        self.makeSubject = makeSubject
        super.init()
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
        let joined = Lock<Hub?>(nil)
        return Observable { [self] downstream, lifetime in
            inspect()
            // The state is read again: since the first reading, the connection may have been made and have ended.
            let current = joined.withLock { $0 } ?? currentHub()
            let hub = joined.withLock { $0 } ?? current
            Self.typed(hub).output.start(downstream, lifetime)
            guard missing.countDown() else { return }
            joined.withLock { $0 = hub }
            _ = connect(hub)
        }
    }

    /// Subscribes to the subject of a connection, which is made for the first subscriber and disposed with the last.
    @inlinable
    func subscribeCounted(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        inspect()
        let hub = currentHub(counting: true)
        lifetime.add { [self] in leave(hub) }
        hub.output.start(downstream, lifetime)
        if let connection = reserve(hub, ifCounted: true) { run(hub, in: connection) }
    }

    @inlinable
    func connect(_ hub: Hub) -> any Disposable {
        if let lifetime = reserve(hub, ifCounted: false) { run(Self.typed(hub), in: lifetime) }
        return hub.connection
    }

    @inlinable
    func run(_ hub: SubjectHub, in lifetime: Lifetime) {
        Probe.connected(lifetime, to: self)
        start(hub.input, lifetime) { [self] in forgetEnded() }
    }

    /// Returns the current hub, or a new one if there is none or its connection has ended, and counts a subscriber of it if `isCounted`.
    @inlinable
    func currentHub(counting isCounted: Bool = false) -> SubjectHub {
        if let running = running(counting: isCounted) { return Self.typed(running) }
        // A closure of the user creates the subject.
        return Self.typed(begin(SubjectHub(of: self, makeSubject()), counting: isCounted))
    }

    /// The hubs of a core have only its own element type.
    @inlinable @inline(__always)
    static func typed(_ hub: Hub) -> SubjectHub {
        unsafe unsafeDowncast(hub, to: SubjectHub.self)
    }

    /// A hub with its subject.
    @usableFromInline
    final class SubjectHub: Hub, @unchecked Sendable {
        // Law 9: stored properties are constants.
        @usableFromInline let input: AnyObserver<Element>
        @usableFromInline let output: Observable<Element>

        @inlinable
        init(of core: AnyConnectableCore, _ subject: (input: AnyObserver<Element>, output: Observable<Element>)) {
            (input, output) = subject
            super.init(of: core)
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
