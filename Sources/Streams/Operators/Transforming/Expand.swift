extension ObservableType {
    /// Emits each element, and recursively the elements of the stream that `selector` maps it to.
    ///
    /// ```swift
    /// Observable.just(1).expand { $0 < 4 ? .just($0 + 1) : .empty() }
    /// // (1|)
    /// // (1234|)
    /// ```
    ///
    /// At most `maxConcurrent` inner streams are active; pending elements are queued without bound. Completes when all have; fails
    /// immediately at an error or if the closure throws. Synchronous streams do not grow the stack.
    /// Source: [RxJS, expand](https://rxjs.dev/api/operators/expand).
    public func expand(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Observable<Element>
    ) -> Observable<Element> {
        let source = asObservable()
        return Observable { downstream, lifetime in
            Expansion(downstream, lifetime, limit: Swift.max(1, maxConcurrent), selector).start(source)
        }
    }
}

/// The streams of an `expand`.
private final class Expansion<Element: Sendable>: Sendable {
    private let merge: MergeJoin<Element>
    private let lifetime: Lifetime
    private let limit: Int
    private let selector: @Sendable (Element) throws -> Observable<Element>
    private let turns: SharedSerializer
    /// The elements whose streams have yet to be started, and the number of active ones. Accessed only inside `turns`.
    private let state = SerialState((waiting: ElementQueue<Element>(), running: 0))

    init(
        _ downstream: AnyObserver<Element>, _ lifetime: Lifetime, limit: Int,
        _ selector: @escaping @Sendable (Element) throws -> Observable<Element>
    ) {
        turns = SharedSerializer(lifetime)
        merge = MergeJoin(downstream, lifetime)
        self.lifetime = lifetime
        self.limit = limit
        self.selector = selector
    }

    func start(_ source: Observable<Element>) {
        merge.subscribe(to: expanding(source))
    }

    /// `source`, whose elements are queued once they were emitted: a synchronous stream is not started inside another (law 5).
    private func expanding(_ source: Observable<Element>) -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            source.start(
                downstream.forwarding { [self] element in
                    downstream.onNext(element)
                    merge.add()
                    turns.run { [self] in
                        state.value.waiting.append(element)
                        beginNext()
                    }
                }, lifetime)
        }
    }

    private func beginNext() {
        while state.value.running < limit, !lifetime.isDisposed, let element = state.value.waiting.popFirst() {
            state.value.running += 1
            do {
                merge.subscribe(to: expanding(try selector(element))) { [self] in
                    turns.run { [self] in
                        state.value.running -= 1
                        beginNext()
                    }
                }
            } catch { merge.terminate(.error(error)) }
        }
    }
}
