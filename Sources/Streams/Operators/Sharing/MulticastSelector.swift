extension ObservableType {
    /// Emits the events of the stream that `selector` makes of this one. `selector` may use this stream as often as it likes: there is one
    /// subscription to it.
    ///
    /// ```swift
    /// numbers.multicast({ PublishSubject() }) { shared in Observable.zip(shared, shared.skip(1)) { $1 - $0 } }
    /// // --1--2--4--|
    /// // -----1--2--|
    /// ```
    ///
    /// Both closures run for each subscriber; an error that they throw is emitted. This stream is subscribed to after the result of
    /// `selector`, and disposed with it. Its events pass through the subject that `makeSubject` returns.
    /// Source: [RxSwift, multicast(_:selector:)](https://reactivex.io/documentation/operators/publish.html).
    @inlinable
    public func multicast<Subject: ObservableType & ObserverType, Result>(
        _ makeSubject: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Element == Element {
        let source = asObservable()
        return Observable<Result> { downstream, lifetime in
            let subject: Subject
            let result: Observable<Result>
            do {
                subject = try makeSubject()
                result = try selector(subject.asObservable())
            } catch {
                return downstream.onError(error)
            }
            result.start(downstream, lifetime)
            guard !lifetime.isDisposed else { return }
            source.subscribe(in: lifetime.child()) { event in subject.on(event) }
        }
    }
}
