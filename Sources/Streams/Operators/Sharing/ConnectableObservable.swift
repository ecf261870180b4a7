import Schedulers

/// A stream that starts when it is told to, for all its subscribers at once.
///
/// Subscribers hear a subject; `connect()` lets the source run into it. A connection that is disposed leaves its subject and subscribers
/// to the next. One whose source has ended keeps its subject for late subscribers, who get what that replays and the end, until the next
/// connection is made: that one begins with a subject of its own.
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

    /// Subscribes to the source, unless that is done already; disposing the result ends that subscription.
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

    /// Connects when there are `count` subscribers, once, and stays connected. A count below 1 is taken as 1.
    ///
    /// ```swift
    /// numbers.publish().autoconnect()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// The source is let go at its end only. Source: [RxJava, autoConnect](https://reactivex.io/documentation/operators/connect.html).
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

    /// Connects for the first subscriber, and ends the connection with the last; who comes after that, or after the end of the source,
    /// starts a new one.
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

    /// Makes the change, and ends the connection of `hub` if nobody whom it counts is left. Who comes from then on does not get that
    /// connection any more: it is forgotten in the same step.
    private func leave(_ hub: Hub, after change: (Hub) -> Void) {
        current.withLock { current -> Lifetime? in
            change(hub)
            guard hub.subscribers == 0, !hub.isConnecting else { return nil }
            if current === hub { current = nil }
            return hub.connection.take()
        }?.dispose()
    }

    /// The current hub, if `predicate` accepts it, and otherwise a new one, which it has to accept.
    private func currentHub(where predicate: (Hub) -> Bool) -> Hub {
        let existing = current.withLock { hub in hub.flatMap { predicate($0) ? $0 : nil } }
        if let existing { return existing }
        // A user's closure makes the subject: not under the lock.
        let fresh = makeHub()
        return current.withLock { hub in
            if let hub, predicate(hub) { return hub }
            _ = predicate(fresh)
            hub = fresh
            return fresh
        }
    }

    /// A subject, and the connection that runs into it. What changes is reached only under the stream's lock (law 3).
    private final class Hub: @unchecked Sendable {
        let input: AnyObserver<Element>
        let output: Observable<Element>
        var connection: Lifetime?
        /// Whether the source of its connection has ended.
        var hasEnded = false
        /// The subscribers of `refCount`.
        var subscribers = 0
        /// Whether `refCount` has not returned from connecting: until it has, nobody's leaving ends the connection.
        var isConnecting = false

        init(input: AnyObserver<Element>, output: Observable<Element>) {
            self.input = input
            self.output = output
        }

        /// The running connection, or a new one, which the caller has to run.
        func reserve() -> (Lifetime, isNew: Bool) {
            if let connection, !connection.isDisposed || hasEnded { return (connection, false) }
            let fresh = Lifetime()
            connection = fresh
            return (fresh, true)
        }
    }
}
