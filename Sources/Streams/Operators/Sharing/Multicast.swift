import Schedulers

extension ObservableType {
    /// Multicasts this stream through a subject, started by `connect()`. All connections use this subject: its subscribers stay from one
    /// connection to the next, and once it has terminated it stays terminated.
    ///
    /// ```swift
    /// numbers.multicast(PublishSubject()).refCount()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, Publish](https://reactivex.io/documentation/operators/publish.html).
    @inlinable
    public func multicast<Subject: ObservableType & ObserverType>(_ subject: Subject) -> ConnectableObservable<Element>
    where Subject.Element == Element {
        ConnectableObservable(asObservable()) { subject }
    }

    /// Multicasts this stream through a subject made by `makeSubject` for each connection, started by `connect()`.
    ///
    /// ```swift
    /// numbers.multicast { ReplaySubject(bufferSize: 1) }.refCount()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// The closure is called on the thread that subscribes or connects, with no lock held.
    /// Source: [RxSwift, multicast(makeSubject:)](https://reactivex.io/documentation/operators/publish.html).
    @inlinable
    public func multicast<Subject: ObservableType & ObserverType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Element> where Subject.Element == Element {
        ConnectableObservable(asObservable(), makeSubject)
    }

    /// Shares this stream among all subscribers, started by `connect()`: ``multicast(makeSubject:)`` with a `PublishSubject`.
    @inlinable
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject() }
    }

    /// Like ``publish()``, but a new subscriber first receives the last `count` elements of the connection, until the connection ends.
    ///
    /// ```swift
    /// let recent = numbers.replay(2)
    /// // --1--2--3--|
    /// // (12)----3--|        for who subscribes after the second
    /// ```
    ///
    /// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
    @inlinable
    public func replay(_ count: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject(bufferSize: count) }
    }

    /// Like ``replay(_:)``, but a new subscriber first receives all elements of the connection: the memory grows with the stream.
    @inlinable
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject.createUnbounded() }
    }

    /// Subscribes once, for the first subscriber, stays subscribed, and replays all events to each later one, including the terminal event.
    ///
    /// ```swift
    /// let profile = request.cache()
    /// // --1--|
    /// // --1--|        for the first, (1|) for those after the end
    /// ```
    ///
    /// The source is disposed on termination only. Its memory grows with the stream.
    /// Source: [RxJava, cache](https://reactivex.io/documentation/operators/replay.html).
    @inlinable
    public func cache() -> Observable<Element> {
        replayAll().autoconnect()
    }
}
