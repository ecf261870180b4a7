import Schedulers

extension ObservableType {
    /// This stream through a subject, started by `connect()`. The subject outlives each connection: once it has ended it stays so.
    ///
    /// ```swift
    /// numbers.multicast(PublishSubject()).refCount()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// Source: [ReactiveX, Publish](https://reactivex.io/documentation/operators/publish.html).
    public func multicast<Subject: ObservableType & ObserverType>(_ subject: Subject) -> ConnectableObservable<Element>
    where Subject.Element == Element {
        ConnectableObservable(asObservable()) { subject }
    }

    /// This stream through a subject that `makeSubject` makes for each connection, started by `connect()`.
    ///
    /// ```swift
    /// numbers.multicast { ReplaySubject(bufferSize: 1) }.refCount()
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// The closure runs when somebody subscribes or connects, on that thread, with no lock held.
    /// Source: [RxSwift, multicast(makeSubject:)](https://reactivex.io/documentation/operators/publish.html).
    public func multicast<Subject: ObservableType & ObserverType>(
        makeSubject: @escaping @Sendable () -> Subject
    ) -> ConnectableObservable<Element> where Subject.Element == Element {
        ConnectableObservable(asObservable(), makeSubject)
    }

    /// This stream for all subscribers at once, started by `connect()`: ``multicast(makeSubject:)`` through a `PublishSubject`.
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject() }
    }

    /// As ``publish()``, and a new subscriber first gets the last `count` elements of the connection.
    ///
    /// ```swift
    /// let recent = numbers.replay(2)
    /// // --1--2--3--|
    /// // (12)----3--|        for who subscribes after the second
    /// ```
    ///
    /// Source: [ReactiveX, Replay](https://reactivex.io/documentation/operators/replay.html).
    public func replay(_ count: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject(bufferSize: count) }
    }

    /// As ``publish()``, and a new subscriber first gets everything that was sent: its memory grows with the stream.
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject.createUnbounded() }
    }

    /// Subscribes once, for the first subscriber, stays subscribed, and sends everything again to each later one, the end too.
    ///
    /// ```swift
    /// let profile = request.cache()
    /// // --1--|
    /// // --1--|        for the first, (1|) for those after the end
    /// ```
    ///
    /// The source is let go at its end only. Its memory grows with the stream.
    /// Source: [RxJava, cache](https://reactivex.io/documentation/operators/replay.html).
    public func cache() -> Observable<Element> {
        replayAll().autoconnect()
    }
}
