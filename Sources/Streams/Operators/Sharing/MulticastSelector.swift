extension ObservableType {
    /// The stream that `selector` makes of this one, which it may use as often as it likes: there is one subscription to it.
    ///
    /// ```swift
    /// numbers.multicast({ PublishSubject() }) { shared in Observable.zip(shared, shared.skip(1)) { $1 - $0 } }
    /// // --1--2--4--|
    /// // -----1--2--|
    /// ```
    ///
    /// Both closures run for each subscriber; what they throw is the stream's error. This stream is subscribed to after what `selector`
    /// made, and disposed with it. The elements go through the subject that `makeSubject` makes.
    /// Source: [RxSwift, multicast(_:selector:)](https://reactivex.io/documentation/operators/publish.html).
    public func multicast<Subject: ObservableType & ObserverType, Result>(
        _ makeSubject: @escaping @Sendable () throws -> Subject,
        selector: @escaping @Sendable (Observable<Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Element == Element {
        let source = asObservable()
        return Observable<Result> { downstream, lifetime in
            let shared: ConnectableObservable<Element>
            let result: Observable<Result>
            do {
                let subject = try makeSubject()
                shared = source.multicast(subject)
                result = try selector(shared.asObservable())
            } catch {
                return downstream.onError(error)
            }
            result.start(downstream, lifetime)
            if !lifetime.isDisposed { lifetime.add(shared.connect()) }
        }
    }
}
