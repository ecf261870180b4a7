import Schedulers

extension ObservableType {
    /// Makes a stream of each element and sends the elements of all of them as they come.
    ///
    /// ```swift
    /// letters.flatMap { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a-b-----|
    /// ```
    ///
    /// At most `maxConcurrent` inner streams run at a time, and at least one; further elements wait in a queue, and their selector is called
    /// when it is their turn. Completes when upstream and all inner streams have. An error of an inner stream, of upstream or of `selector` ends it at
    /// once and lets all streams go; with `delayErrors` it is sent at the end.
    /// Source: [ReactiveX, FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    public func flatMap<Source: ObservableType>(
        maxConcurrent: Int = .max, delayErrors: Bool = false, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMap(maxConcurrent: maxConcurrent, delayErrors: delayErrors) { try selector($0).asObservable() }
    }

    /// Makes a stream of each element and sends their elements one stream after the other, in the order of the elements.
    ///
    /// ```swift
    /// letters.concatMap { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a--b----|
    /// ```
    ///
    /// `selector` is called when the stream's turn comes. Elements that wait are kept in a queue without bound. Errors are as in
    /// ``flatMap(maxConcurrent:delayErrors:_:)``.
    /// Source: [ReactiveX, FlatMap](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable @inline(__always)
    public func concatMap<Source: ObservableType>(
        delayErrors: Bool = false, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMap(maxConcurrent: 1, delayErrors: delayErrors) { try selector($0).asObservable() }
    }
}

extension Observable {
    @inlinable @inline(__always)
    func _flatMap<Result>(
        maxConcurrent: Int, overflow: BufferingPolicy = .unbounded, delayErrors: Bool,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Result>
    ) -> Observable<Result> {
        guard maxConcurrent == .max else {
            return _flatMapLimited(Swift.max(1, maxConcurrent), overflow, delayErrors: delayErrors, selector)
        }
        let source = self
        return Observable<Result> { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime, delayErrors: delayErrors)
            let outer = lifetime.child()
            source.start(
                AnyObserver { event in
                    guard outer.admits(event) else { return }
                    switch consume event {
                    case .next(let element):
                        do { merge.merge(try selector(element)) } catch { merge.fail(with: error) }
                    case .error(let error): merge.terminate(.error(error))
                    case .completed: merge.terminate(.completed)
                    }
                }, outer)
        }
    }

    /// As `_flatMap`, with so many inner streams at a time.
    @inlinable
    func _flatMapLimited<Result>(
        _ maxConcurrent: Int, _ overflow: BufferingPolicy, delayErrors: Bool,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Result>
    ) -> Observable<Result> {
        let source = self
        return Observable<Result> { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime, delayErrors: delayErrors)
            let outer = lifetime.child()
            let limiter = ConcurrencyLimiter<Element>(lifetime, limit: maxConcurrent, overflow) { error, limiter in
                outer.dispose()
                merge.fail(with: error)
                limiter.complete { merge.terminate(.completed) }
            } begin: { element, limiter in
                do { return merge.merge(try selector(element), finished: limiter.finish) } catch { merge.fail(with: error) }
                return false
            }
            source.subscribe(in: outer) { event in
                switch consume event {
                case .next(let element): return limiter.take(element)
                case .error(let error): merge.fail(with: error)
                case .completed: break
                }
                limiter.complete { merge.terminate(.completed) }
            }
        }
    }
}
