import Schedulers

/// A stream that starts when it is told to, for all its subscribers at once.
///
/// Source: [ReactiveX, Connect](https://reactivex.io/documentation/operators/connect.html).
public final class ConnectableObservable<Element: Sendable>: ObservableType {
    private let source: Observable<Element>
    private let output: Observable<Element>
    private let input: AnyObserver<Element>
    private let connection = Lock<Lifetime?>(nil)

    init(_ source: Observable<Element>, input: AnyObserver<Element>, output: Observable<Element>) {
        self.source = source
        self.input = input
        self.output = output
    }

    public func asObservable() -> Observable<Element> {
        output
    }

    /// Subscribes to the source, unless that is done already; disposing the result ends that subscription.
    public func connect() -> any Disposable {
        let fresh = Lifetime()
        let current = connection.withLock { connection -> Lifetime in
            if let connection, !connection.isDisposed { return connection }
            connection = fresh
            return fresh
        }
        guard current === fresh else { return current }
        source.start(
            AnyObserver { [input] event in
                guard event.isStopEvent ? fresh.end() : !fresh.isDisposed else { return }
                input.on(event)
            }, fresh)
        return fresh
    }

    /// Connects when there are `count` subscribers, once, and stays connected.
    ///
    /// Source: [RxJava, autoConnect](https://reactivex.io/documentation/operators/connect.html).
    public func autoconnect(_ count: Int = 1) -> Observable<Element> {
        let counter = Counter(count)
        return Observable { [self] downstream, lifetime in
            output.start(downstream, lifetime)
            if counter.reachesZero() { _ = connect() }
        }
    }

    /// Connects for the first subscriber, and ends the connection with the last.
    ///
    /// Source: [ReactiveX, RefCount](https://reactivex.io/documentation/operators/refcount.html).
    public func refCount() -> Observable<Element> {
        let counted = Counted()
        return Observable { [self] downstream, lifetime in
            let isFirst = counted.add()
            lifetime.add { counted.remove() }
            output.start(downstream, lifetime)
            if isFirst { counted.hold(connect()) }
        }
    }

    private final class Counter: Sendable {
        private let left: Lock<Int>

        init(_ count: Int) {
            left = Lock(count)
        }

        func reachesZero() -> Bool {
            left.withLock { left in
                left -= 1
                return left == 0
            }
        }
    }

    private final class Counted: Sendable {
        private let connection = SerialDisposable()
        private let subscribers = Lock(0)

        func add() -> Bool {
            subscribers.withLock { subscribers in
                subscribers += 1
                return subscribers == 1
            }
        }

        /// Keeps the connection; if everybody left while it was being made, ends it.
        func hold(_ made: any Disposable) {
            connection.disposable = made
            if subscribers.withLock({ $0 == 0 }) { connection.disposable = nil }
        }

        func remove() {
            let isLast = subscribers.withLock { subscribers -> Bool in
                subscribers -= 1
                return subscribers == 0
            }
            if isLast { connection.disposable = nil }
        }
    }
}

extension ObservableType {
    /// This stream through a subject, started by `connect()`.
    ///
    /// Source: [ReactiveX, Publish](https://reactivex.io/documentation/operators/publish.html).
    public func multicast<Subject: ObservableType & ObserverType>(_ subject: Subject) -> ConnectableObservable<Element>
    where Subject.Element == Element {
        ConnectableObservable(asObservable(), input: subject.asObserver(), output: subject.asObservable())
    }

    /// This stream for all subscribers at once, started by `connect()`.
    public func publish() -> ConnectableObservable<Element> {
        multicast(PublishSubject())
    }

    /// As `publish()`, and a new subscriber first gets the last `count` elements.
    ///
    /// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
    public func replay(_ count: Int) -> ConnectableObservable<Element> {
        multicast(ReplaySubject(bufferSize: count))
    }

    /// As `publish()`, and a new subscriber first gets everything that was sent: its memory grows with the stream.
    public func replayAll() -> ConnectableObservable<Element> {
        multicast(ReplaySubject.createUnbounded())
    }
}
