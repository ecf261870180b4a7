extension ObservableType {
    /// Emits each element, and recursively the elements of the stream that `selector` maps it to.
    ///
    /// ```swift
    /// Observable.just(1).expand { $0 < 4 ? .just($0 + 1) : .empty() }
    /// // (1|)
    /// // (1234|)
    /// ```
    ///
    /// An element is emitted when it is received, before its stream is started. At most `maxConcurrent` inner streams are active; elements
    /// whose streams wait are queued without bound. Completes when all have; fails immediately at an error or if the closure throws.
    /// Synchronous streams do not grow the stack.
    /// Source: [RxJS, expand](https://rxjs.dev/api/operators/expand).
    @inlinable
    public func expand(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Observable<Element>
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            let merge = MergeJoin(downstream, lifetime)
            let limiter = ConcurrencyLimiter<Element>(lifetime, limit: Swift.max(1, maxConcurrent), .unbounded) { element, limiter in
                do {
                    merge.subscribe(to: try selector(element)._expanding(merge, limiter), finished: limiter.finish)
                } catch { merge.terminate(.error(error)) }
                return true
            }
            merge.subscribe(to: source._expanding(merge, limiter))
        }
    }
}

extension Observable {
    /// Starts this stream and queues its elements after they were emitted: a synchronous stream is not started inside another (law 5).
    @inlinable
    func _expanding(_ merge: MergeJoin<Element>, _ limiter: ConcurrencyLimiter<Element>) -> Observable<Element> {
        Observable { downstream, lifetime in
            start(
                downstream.forwarding { element in
                    downstream.onNext(element)
                    merge.add()
                    limiter.take(element)
                }, lifetime)
        }
    }
}
