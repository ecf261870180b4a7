import Schedulers

/// The current subject of a connectable stream, the connection that feeds it, and its subscribers. Thread-safe.
final class ConnectableCore<Element: Sendable>: Sendable {
    private let source: Observable<Element>
    private let makeHub: @Sendable () -> Hub
    private let current = Lock<Hub?>(nil)

    init<Subject: ObservableType & ObserverType>(_ source: Observable<Element>, _ makeSubject: @escaping @Sendable () -> Subject)
    where Subject.Element == Element {
        self.source = source
        makeHub = {
            let subject = makeSubject()
            return Hub(input: subject.asObserver(), output: subject.asObservable())
        }
    }

    /// Subscribes to the current subject.
    func subscribe(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        currentHub { _ in true }.output.start(downstream, lifetime)
    }

    /// Connects, unless it is connected; disposing the result disconnects.
    func connect() -> Lifetime {
        let hub = currentHub { !$0.hasEnded }
        let (lifetime, isNew) = current.withLock { _ in hub.reserve() }
        if isNew { run(hub, in: lifetime) }
        return lifetime
    }

    /// Subscribes to the subject of a connection, which is made for the first subscriber and disposed with the last.
    func subscribeCounted(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        let hub = currentHub { hub in
            guard !hub.hasEnded else { return false }
            hub.subscribers += 1
            return true
        }
        lifetime.add { [self] in leave(hub) { $0.subscribers -= 1 } }
        hub.output.start(downstream, lifetime)
        connectIfCounted(hub)
    }

    private func connectIfCounted(_ hub: Hub) {
        let fresh = current.withLock { _ -> Lifetime? in
            guard hub.subscribers > 0 else { return nil }
            let (lifetime, isNew) = hub.reserve()
            guard isNew else { return nil }
            hub.isConnecting = true
            return lifetime
        }
        guard let fresh else { return }
        run(hub, in: fresh)
        leave(hub) { $0.isConnecting = false }
    }

    private func run(_ hub: Hub, in lifetime: Lifetime) {
        source.subscribe(in: lifetime) { [self] event in
            if event.isStopEvent { current.withLock { _ in hub.hasEnded = true } }
            hub.input.on(event)
        }
    }

    /// Applies the change, and ends the connection of `hub` if it has no subscribers left. The connection is removed in the same step, so
    /// that later subscribers do not join it.
    private func leave(_ hub: Hub, after change: (Hub) -> Void) {
        current.withLock { current -> Lifetime? in
            change(hub)
            guard hub.subscribers == 0, !hub.isConnecting else { return nil }
            if current === hub { current = nil }
            return hub.connection.take()
        }?.dispose()
    }

    /// Returns the current hub if it satisfies `predicate`, and otherwise a new one, which must satisfy it.
    private func currentHub(where predicate: (Hub) -> Bool) -> Hub {
        let existing = current.withLock { hub in hub.flatMap { predicate($0) ? $0 : nil } }
        if let existing { return existing }
        // A user's closure creates the subject: not under the lock.
        let fresh = makeHub()
        return current.withLock { hub in
            if let hub, predicate(hub) { return hub }
            _ = predicate(fresh)
            hub = fresh
            return fresh
        }
    }

    /// A subject and its connection. Mutable state is accessed only under the lock of the core (law 3).
    private final class Hub: @unchecked Sendable {
        let input: AnyObserver<Element>
        let output: Observable<Element>
        var connection: Lifetime?
        /// Whether the source of its connection has terminated.
        var hasEnded = false
        /// The number of subscribers that are counted.
        var subscribers = 0
        /// Whether the first of them is still connecting: until it has, a disposal does not disconnect.
        var isConnecting = false

        init(input: AnyObserver<Element>, output: Observable<Element>) {
            self.input = input
            self.output = output
        }

        /// Returns the current connection, or a new one, which the caller has to start.
        func reserve() -> (Lifetime, isNew: Bool) {
            if let connection, !connection.isDisposed || hasEnded { return (connection, false) }
            let fresh = Lifetime()
            connection = fresh
            return (fresh, true)
        }
    }
}
