import Schedulers

/// A stream that starts on request, for all its subscribers at once.
///
/// Subscribers observe a subject; `connect()` subscribes the subject to the source. A disposed connection leaves its subject and
/// subscribers to the next one. After the source has terminated, its subject is kept for late subscribers, who receive the replayed
/// elements and the terminal event, until the next connection, which starts with a new subject.
///
/// Source: [ReactiveX, Connect](https://reactivex.io/documentation/operators/connect.html).
public final class ConnectableObservable<Element: Sendable>: ObservableType {
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

    public func asObservable() -> Observable<Element> {
        Observable { [self] downstream, lifetime in currentHub { _ in true }.output.start(downstream, lifetime) }
    }

    /// Subscribes to the source, unless it is connected already; disposing the result disconnects.
    ///
    /// ```swift
    /// let shared = numbers.publish()
    /// shared.connect().disposed(by: bag)
    /// // --1--2--|
    /// // --1--2--|        for everybody who subscribed before
    /// ```
    ///
    /// Source: [ReactiveX, Connect](https://reactivex.io/documentation/operators/connect.html).
    public func connect() -> any Disposable {
        let hub = currentHub { !$0.hasEnded }
        let (lifetime, isNew) = current.withLock { _ in hub.reserve() }
        if isNew { run(hub, in: lifetime) }
        return lifetime
    }

    /// Connects once, when there are `count` subscribers, and stays connected. A count below 1 is treated as 1.
    ///
    /// ```swift
    /// numbers.publish().autoconnect()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// The source is disposed on termination only. Source: [RxJava,
    /// autoConnect](https://reactivex.io/documentation/operators/connect.html).
    public func autoconnect(_ count: Int = 1) -> Observable<Element> {
        let left = Lock(Swift.max(1, count))
        return Observable { [self] downstream, lifetime in
            asObservable().start(downstream, lifetime)
            let isLast = left.withLock { left -> Bool in
                left -= 1
                return left == 0
            }
            if isLast { _ = connect() }
        }
    }

    /// Connects for the first subscriber, and disconnects with the last; a subscriber after that, or after the source has terminated,
    /// starts a new connection.
    ///
    /// ```swift
    /// numbers.publish().refCount()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, RefCount](https://reactivex.io/documentation/operators/refcount.html).
    public func refCount() -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            let hub = currentHub { hub in
                guard !hub.hasEnded else { return false }
                hub.subscribers += 1
                return true
            }
            lifetime.add { [self] in leave(hub) { $0.subscribers -= 1 } }
            hub.output.start(downstream, lifetime)
            connectIfCounted(hub)
        }
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
        source.start(
            AnyObserver { [self] event in
                guard event.isStopEvent else {
                    if !lifetime.isDisposed { hub.input.on(event) }
                    return
                }
                guard lifetime.end() else { return }
                current.withLock { _ in hub.hasEnded = true }
                hub.input.on(event)
            }, lifetime)
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

    /// A subject and its connection. Mutable state is accessed only under the stream's lock (law 3).
    private final class Hub: @unchecked Sendable {
        let input: AnyObserver<Element>
        let output: Observable<Element>
        var connection: Lifetime?
        /// Whether the source of its connection has terminated.
        var hasEnded = false
        /// The number of subscribers of `refCount`.
        var subscribers = 0
        /// Whether `refCount` is still connecting: until it has returned, a disposal does not disconnect.
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
