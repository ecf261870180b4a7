import Schedulers

extension ObservableType {
    /// Calls closures beside the stream, before (or `after...`) the event goes on; a throw ends the stream with that error.
    ///
    /// ```swift
    /// numbers.do(onNext: { print($0) }, onDispose: { print("over") })
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// `onSubscribe` runs before upstream is subscribed, `onSubscribed` after, `onDispose` once when the subscription is over; the others
    /// where upstream sends. Source: [ReactiveX, Do](https://reactivex.io/documentation/operators/do.html).
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
            if let onDispose { lifetime.add(onDispose) }
            start(
                AnyObserver { event in
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
                }, lifetime)
            onSubscribed?()
        }
    }
}
