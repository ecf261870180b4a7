import Schedulers

/// A stream that starts on request, for all its subscribers at once.
///
/// Subscribers observe a subject; `connect()` subscribes the subject to the source. When a connection is disposed or the source terminates,
/// its subject goes with it. A later subscriber waits for the next connection, which has a subject of its own; earlier subscribers receive
/// nothing from that one.
///
/// Source: [ReactiveX, Connect](https://reactivex.io/documentation/operators/connect.html).
public final class ConnectableObservable<Element: Sendable>: ObservableType {
    @usableFromInline let core: ConnectableCore<Element>

    @inlinable
    init<Subject: ObservableType & ObserverType>(_ source: Observable<Element>, _ makeSubject: @escaping @Sendable () -> Subject)
    where Subject.Element == Element {
        core = ConnectableCore { input, lifetime, ended in
            source.subscribe(in: lifetime) { event in
                if event.isStopEvent { ended() }
                input.on(event)
            }
        } makeSubject: {
            let subject = makeSubject()
            return (subject.asObserver(), subject.asObservable())
        }
    }

    @inlinable
    public func asObservable() -> Observable<Element> {
        Observable { [core] downstream, lifetime in core.subscribe(downstream, lifetime) }
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
    @inlinable
    public func connect() -> any Disposable {
        core.connect()
    }

    /// Connects once, when there are `count` subscribers, and stays connected. A count below 1 is treated as 1. A subscriber after the end
    /// receives the elements that the subject replays, and the terminal event.
    ///
    /// ```swift
    /// numbers.publish().autoconnect()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// The source is disposed on termination only. Source: [RxJava,
    /// autoConnect](https://reactivex.io/documentation/operators/connect.html).
    @inlinable
    public func autoconnect(_ count: Int = 1) -> Observable<Element> {
        core.connected(after: Swift.max(1, count))
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
    @inlinable
    public func refCount() -> Observable<Element> {
        Observable { [core] downstream, lifetime in core.subscribeCounted(downstream, lifetime) }
    }
}
