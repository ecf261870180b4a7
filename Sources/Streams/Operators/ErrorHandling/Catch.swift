extension ObservableType {
    /// Continues with the stream that `handler` returns for an error; fails with a new error if it throws.
    ///
    /// ```swift
    /// numbers.catch { error in cached }
    /// // --1--#
    /// // --1--(2|)        what was cached is 2
    /// ```
    ///
    /// Upstream is disposed before the handler is called. Runs where upstream fails. Nothing of this stream is retained while the other is
    /// active, so a stream whose handler leads back to itself grows neither the stack nor the memory. Source: [ReactiveX,
    /// Catch](https://reactivex.io/documentation/operators/catch.html).
    @inlinable
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            SequenceSubscriber(downstream, lifetime) { event in
                guard case .error(let error) = event else { return nil }
                return .last(try handler(error))
            }.subscribe(to: source)
        }
    }

    /// Emits `element` instead of an error and completes.
    ///
    /// ```swift
    /// numbers.catchAndReturn(0)
    /// // --1--#
    /// // --1--(0|)
    /// ```
    ///
    /// Upstream is disposed before. Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        let last = Observable.just(element)
        return self.catch { _ in last }
    }

    /// Completes instead of failing.
    ///
    /// ```swift
    /// numbers.catchAndComplete()
    /// // --1--#
    /// // --1--|
    /// ```
    ///
    /// Upstream is disposed before. Source: [RxSwiftExt, catchErrorJustComplete](https://github.com/RxSwiftCommunity/RxSwiftExt).
    @inlinable
    public func catchAndComplete() -> Observable<Element> {
        self.catch { _ in .empty() }
    }

    /// Emits `element` instead of an error and completes, like ``catchAndReturn(_:)``, as a stream that cannot fail.
    @inlinable
    public func replaceError(with element: Element) -> Infallible<Element> {
        Infallible(infallible: catchAndReturn(element))
    }

    /// Transforms the error; fails with a new error if `transform` throws.
    ///
    /// ```swift
    /// numbers.mapError { error in ResponseError.wrapped(error) }
    /// // --1--#
    /// // --1--#
    /// ```
    ///
    /// Runs where upstream fails. Source: [Combine,
    /// mapError](https://developer.apple.com/documentation/combine/publisher/maperror(_:)).
    @inlinable
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            start(
                AnyObserver.receiving { event in
                    switch consume event {
                    case .error(let error):
                        do { downstream.onError(try transform(error)) } catch { downstream.onError(error) }
                    case let event: downstream.forward(event)
                    }
                }, lifetime)
        }
    }
}

extension Observable {
    /// Emits the elements of the first of `sources`, and continues with the next after an error; fails with the error of the last.
    ///
    /// ```swift
    /// Observable.catch(sequence: [numbers, others])
    /// // numbers --1--#
    /// // others  ---2---3--|
    /// //         --1----3--|        others is hot
    /// ```
    ///
    /// Each source is disposed before the next is subscribed to; sources that fail synchronously do not grow the stack. Source: [RxSwift,
    /// catch(sequence:); ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    @inlinable
    public static func `catch`(sequence sources: some Sequence<Observable<Element>> & Sendable) -> Observable<Element> {
        Observable { downstream, lifetime in
            let iterator = SerialState(sources.makeIterator())
            let hasBegun = SerialState(false)
            SequenceSubscriber(downstream, lifetime) { event in
                if case .completed = event, hasBegun.value { return nil }
                hasBegun.value = true
                return iterator.value.next().map { .next($0) }
            }.run()
        }
    }
}
