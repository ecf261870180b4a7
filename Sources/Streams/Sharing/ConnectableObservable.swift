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
        running()
    }

    /// The running connection; without one, a new one.
    private func running() -> Lifetime {
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

    /// Makes the next `connect()` start anew instead of giving `lifetime`, which is about to be disposed.
    private func forget(_ lifetime: Lifetime) {
        connection.withLock { connection in
            if connection === lifetime { connection = nil }
        }
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
        let counted = Counted(forget: forget)
        return Observable { [self] downstream, lifetime in
            let isFirst = counted.add()
            lifetime.add { counted.remove() }
            output.start(downstream, lifetime)
            if isFirst { counted.hold(running()) }
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

    /// The subscribers of a `refCount`, and the connection that they need.
    private final class Counted: Sendable {
        private struct State {
            var subscribers = 0
            var connection: Lifetime?
        }

        private let state = Lock(State())
        private let forget: @Sendable (Lifetime) -> Void

        init(forget: @escaping @Sendable (Lifetime) -> Void) {
            self.forget = forget
        }

        func add() -> Bool {
            state.withLock { state in
                state.subscribers += 1
                return state.subscribers == 1
            }
        }

        /// Keeps the connection; if everybody left while it was being made, ends it.
        func hold(_ made: Lifetime) {
            end { state in
                state.connection = made
            }
        }

        func remove() {
            end { state in
                state.subscribers -= 1
            }
        }

        /// Makes the change and ends the connection if nobody is left. Who comes from then on does not get that connection any more:
        /// it is forgotten in the same step.
        private func end(after change: (inout State) -> Void) {
            state.withLock { state -> Lifetime? in
                change(&state)
                guard state.subscribers == 0, let unused = state.connection.take() else { return nil }
                forget(unused)
                return unused
            }?.dispose()
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

    /// Subscribes once, for the first subscriber, stays subscribed, and sends everything again to each later one, the end too.
    ///
    /// Its memory grows with the stream. Source: [RxJava, cache](https://reactivex.io/documentation/operators/replay.html).
    public func cache() -> Observable<Element> {
        replayAll().autoconnect()
    }
}
