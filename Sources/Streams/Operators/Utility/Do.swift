extension ObservableType {
    /// Performs side effects before (or `after...`) each event is forwarded; fails if a closure throws.
    ///
    /// ```swift
    /// numbers.do(onNext: { print($0) }, onDispose: { print("over") })
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// `onSubscribe` is called before upstream is subscribed to, `onSubscribed` after it, and the other closures where upstream emits.
    /// `onDispose` is called exactly once, last: after upstream was disposed, and after the other closures.
    ///
    /// Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil,
        afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            onSubscribe?()
            let disposal = onDispose.map { FinalAction($0, after: lifetime, isHeld: true) }
            let observer = AnyObserver<Element>.receiving { event in
                let event = event.take()
                do {
                    switch event {
                    case .next(let element):
                        try onNext?(element)
                        downstream.onNext(element)
                        try afterNext?(element)
                    case .error(let error):
                        try onError?(error)
                        downstream.onError(error)
                        try afterError?(error)
                    case .completed:
                        try onCompleted?()
                        downstream.onCompleted()
                        try afterCompleted?()
                    }
                } catch {
                    if !lifetime.isDisposed { downstream.onError(error) }
                }
            }
            start(disposal?.delayed(by: observer) ?? observer, lifetime)
            onSubscribed?()
            disposal?.release()
        }
    }
}
