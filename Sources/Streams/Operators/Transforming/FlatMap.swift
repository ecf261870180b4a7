import Schedulers

extension ObservableType {
    /// Maps each element to a stream and emits the elements of all of them.
    ///
    /// ```swift
    /// letters.flatMap { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a-b-----|
    /// ```
    ///
    /// At most `maxConcurrent` inner streams, and at least one, are active. Further elements are queued, and their selector is called when
    /// they are started. Completes when upstream and all inner streams have. Fails immediately at an error of an inner stream, of upstream
    /// or of `selector`, and disposes all streams; with `delayErrors` the error is emitted at the end. Source: [ReactiveX,
    /// FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        maxConcurrent: Int = .max, delayErrors: Bool = false, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMap(maxConcurrent: maxConcurrent, delayErrors: delayErrors) { try selector($0).asInnerObservable() }
    }

    /// Maps each element to a stream and emits their elements one stream after the other, in the order of the elements.
    ///
    /// ```swift
    /// letters.concatMap { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a--b----|
    /// ```
    ///
    /// `selector` is called when the stream is started. While 16 elements wait, upstream is suspended. Errors are as in
    /// ``flatMap(maxConcurrent:delayErrors:_:)``.
    /// Source: [ReactiveX, FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        delayErrors: Bool = false, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMap(maxConcurrent: 1, delayErrors: delayErrors) { try selector($0).asInnerObservable() }
    }
}

extension Observable {
    @inlinable @inline(__always)
    func _flatMap<Result>(
        maxConcurrent: Int, overflow: BufferingPolicy = .waitingForTurn, delayErrors: Bool,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Result>
    ) -> Observable<Result> {
        guard maxConcurrent == .max else {
            return _flatMapLimited(Swift.max(1, maxConcurrent), overflow, delayErrors: delayErrors, selector)
        }
        guard !isSynchronous else { return _flatMapOnly(selector) }
        let source = self
        return Observable<Result> { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime, delayErrors: delayErrors)
            let outer = merge.gate.child()
            source.start(
                .receiving { event in
                    guard let event = event.take(in: outer) else { return }
                    switch consume event {
                    case .next(let element):
                        do { merge.merge(try selector(element)) } catch { merge.fail(with: error) }
                    case .error(let error): merge.terminate(.error(error))
                    case .completed: merge.terminate(.completed)
                    }
                }, outer)
        }
    }

    /// Flattens a synchronous stream. Its one element is its first event, and nothing is merged with the stream of that.
    @inlinable @inline(__always)
    func _flatMapOnly<Result>(_ selector: @escaping @Sendable (Element) throws -> Observable<Result>) -> Observable<Result> {
        let start = start
        return Observable<Result> { downstream, lifetime in
            let isFirst = SerialState(true)
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard isFirst.value else { return }
                    isFirst.value = false
                    switch consume event {
                    case .next(let element):
                        do { try selector(element).start(downstream, lifetime) } catch { downstream.onError(error) }
                    case .error(let error): downstream.onError(error)
                    case .completed: downstream.onCompleted()
                    }
                }, lifetime)
        }
    }

    /// Like `_flatMap`, with a limit of active inner streams.
    @inlinable
    func _flatMapLimited<Result>(
        _ maxConcurrent: Int, _ overflow: BufferingPolicy, delayErrors: Bool,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Result>
    ) -> Observable<Result> {
        let source = self
        return Observable<Result> { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime, delayErrors: delayErrors)
            ConcurrencyLimiter<Element>(lifetime, limit: maxConcurrent, overflow) { error in
                if let error { merge.fail(with: error) } else { merge.terminate(.completed) }
            } begin: { element, limiter in
                do {
                    let source = try selector(element)
                    guard source.isSynchronous else {
                        merge.add()
                        merge.subscribe(to: source, finished: limiter.finish)
                        return true
                    }
                    merge.forward(synchronous: source)
                } catch { merge.fail(with: error) }
                return false
            }
            .subscribe(to: source)
        }
    }
}
