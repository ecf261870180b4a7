extension ObservableType {
    /// Goes on with the stream that `handler` makes of an error; a throw in it is the new error.
    ///
    /// ```swift
    /// numbers.catch { error in cached }
    /// // --1--#
    /// // --1--(2|)        what was cached is 2
    /// ```
    ///
    /// Upstream is disposed before the handler runs. Runs where upstream fails. Nothing of this stream is left when the other runs: a
    /// stream whose handler leads back to itself neither grows the stack nor the memory.
    /// Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    public func `catch`(_ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            SequenceSubscriber(downstream, lifetime).start(source) { event in
                guard case .error(let error) = event else { return nil }
                return .last(try handler(error))
            }
        }
    }

    /// Sends `element` in place of an error and completes.
    ///
    /// ```swift
    /// numbers.catchAndReturn(0)
    /// // --1--#
    /// // --1--(0|)
    /// ```
    ///
    /// Upstream is let go before. Source: [ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        self.catch { _ in .just(element) }
    }

    /// Completes in place of an error.
    ///
    /// ```swift
    /// numbers.catchAndComplete()
    /// // --1--#
    /// // --1--|
    /// ```
    ///
    /// Upstream is let go before. Source: [RxSwiftExt, catchErrorJustComplete](https://github.com/RxSwiftCommunity/RxSwiftExt).
    public func catchAndComplete() -> Observable<Element> {
        self.catch { _ in .empty() }
    }

    /// Emits `element` in place of an error and completes, as ``catchAndReturn(_:)``; the result cannot fail, and its type says so.
    public func replaceError(with element: Element) -> Infallible<Element> {
        Infallible(unfailing: catchAndReturn(element))
    }

    /// Changes the error; a throw in `transform` is the new error.
    ///
    /// ```swift
    /// numbers.mapError { error in ResponseError.wrapped(error) }
    /// // --1--#
    /// // --1--#
    /// ```
    ///
    /// Runs where upstream fails. Source: [Combine,
    /// mapError](https://developer.apple.com/documentation/combine/publisher/maperror(_:)).
    public func mapError(_ transform: @escaping @Sendable (any Error) throws -> any Error) -> Observable<Element> {
        let start = asObservable().start
        return Observable { downstream, lifetime in
            start(
                AnyObserver { event in
                    switch consume event {
                    case .next(let element): downstream.onNext(element)
                    case .error(let error): do { downstream.onError(try transform(error)) } catch { downstream.onError(error) }
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }
}

extension Observable {
    /// Sends the elements of the first of `sources`, and goes on with the next after an error; the error of the last is the error.
    ///
    /// ```swift
    /// Observable.catch(sequence: [numbers, others])
    /// // numbers --1--#
    /// // others  ---2---3--|
    /// //         --1----3--|        others sends whoever listens
    /// ```
    ///
    /// Each is let go before the next is subscribed; sources that fail in place do not grow the stack.
    /// Source: [RxSwift, catch(sequence:); ReactiveX, Catch](https://reactivex.io/documentation/operators/catch.html).
    public static func `catch`(sequence sources: some Sequence<Observable<Element>> & Sendable) -> Observable<Element> {
        Observable { downstream, lifetime in
            let iterator = SerialState(sources.makeIterator())
            let hasBegun = SerialState(false)
            SequenceSubscriber(downstream, lifetime).run { event in
                if case .completed = event, hasBegun.value { return nil }
                hasBegun.value = true
                return iterator.value.next().map { .next($0) }
            }
        }
    }
}
