extension ObservableType {
    /// Sends each element, and the elements of the stream that `selector` makes of it, and of those in turn, and so on.
    ///
    /// ```swift
    /// Observable.just(1).expand { $0 < 4 ? .just($0 + 1) : .empty() }
    /// // (1|)
    /// // (1234|)
    /// ```
    ///
    /// At most `maxConcurrent` inner streams run at a time; elements whose turn has not come wait without bound. Completes when all have;
    /// an error or a throw ends it at once. Streams that send in place do not grow the stack.
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
private final class Expansion<Element: Sendable>: @unchecked Sendable {
    private let merge: MergeJoin<Element>
    private let lifetime: Lifetime
    private let limit: Int
    private let selector: @Sendable (Element) throws -> Observable<Element>
    private let turns: SharedSerializer
    /// Law 2: used only inside `turns`, like what follows.
    @exclusivity(unchecked) private var waiting = ElementQueue<Element>()
    @exclusivity(unchecked) private var running = 0

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

    /// `source`, whose elements get in line once they were sent: a stream that sends in place is not started inside another (law 5).
    private func expanding(_ source: Observable<Element>) -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            source.start(
                downstream.forwarding { [self] element in
                    downstream.onNext(element)
                    merge.add()
                    turns.run { [self] in
                        waiting.append(element)
                        beginNext()
                    }
                }, lifetime)
        }
    }

    private func beginNext() {
        while running < limit, !lifetime.isDisposed, let element = waiting.popFirst() {
            running += 1
            do {
                merge.subscribe(to: expanding(try selector(element))) { [self] in
                    turns.run { [self] in
                        running -= 1
                        beginNext()
                    }
                }
            } catch { merge.terminate(.error(error)) }
        }
    }
}
