import Schedulers

extension ObservableType {
    /// Maps each element to a stream, subscribes to it immediately, and emits their elements one stream after the other, in order.
    ///
    /// ```swift
    /// letters.concatMapEager { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a-b-----|
    /// ```
    ///
    /// Elements out of order are buffered without bound. At most `maxConcurrent` inner streams are active; further elements are queued.
    /// Fails immediately at an error or if the closure throws, and disposes all streams.
    /// Source: [RxJava, concatMapEager](https://reactivex.io/documentation/operators/flatmap.html).
    public func concatMapEager<Source: ObservableType>(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable<Source.Element> { downstream, lifetime in
            let order = EagerOrder(downstream, lifetime)
            let limiter = ConcurrencyLimiter<Element>(lifetime, limit: Swift.max(1, maxConcurrent)) { element, limiter in
                let place = order.append()
                do {
                    order.start(try selector(element).asObservable(), at: place, finished: limiter.finish)
                } catch { order.fail(error) }
                return true
            }
            source.subscribe(in: lifetime.child()) { event in
                switch event {
                case .next(let element):
                    order.add()
                    limiter.take(element)
                case .error(let error): order.fail(error)
                case .completed: order.outerCompleted()
                }
            }
        }
    }
}

/// The streams of a `concatMapEager`: the first one emits, the elements of the others are buffered.
private final class EagerOrder<Element: Sendable>: @unchecked Sendable {
    /// The position of one stream. Law 2: accessed only inside the serializer.
    final class Place: @unchecked Sendable {
        @exclusivity(unchecked) var waiting = ElementQueue<Element>()
        @exclusivity(unchecked) var isDone = false
    }

    private let serializer: SharedSerializer
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    /// Law 2: accessed only inside the serializer, like the following.
    @exclusivity(unchecked) private var places = ElementQueue<Place>()
    @exclusivity(unchecked) private var expected = 0
    @exclusivity(unchecked) private var isOuterDone = false
    private let mark = Resources.Mark("EagerOrder")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
        serializer = SharedSerializer(lifetime)
    }

    /// Counts an element whose stream has yet to be added.
    func add() {
        serializer.run { [self] in expected += 1 }
    }

    func append() -> Place {
        let place = Place()
        serializer.run { [self] in places.append(place) }
        return place
    }

    func start(_ source: Observable<Element>, at place: Place, finished: @escaping @Sendable () -> Void) {
        serializer.subscribe(to: source, finished: finished) { [self] event in take(event, at: place) }
    }

    private func take(_ event: Event<Element>, at place: Place) {
        switch event {
        case .next(let element):
            guard places.first !== place else { return downstream.onNext(element) }
            place.waiting.append(element)
        case .error(let error): downstream.onError(error)
        case .completed:
            place.isDone = true
            advance()
        }
    }

    func fail(_ error: any Error) {
        serializer.run { [downstream] in downstream.onError(error) }
    }

    func outerCompleted() {
        serializer.run { [self] in
            isOuterDone = true
            advance()
        }
    }

    /// Emits the buffered elements of the first stream, and advances past completed ones.
    private func advance() {
        while let first = places.first {
            while !lifetime.isDisposed, let element = first.waiting.popFirst() { downstream.onNext(element) }
            guard first.isDone else { return }
            _ = places.popFirst()
            expected -= 1
        }
        guard isOuterDone, expected == 0, !lifetime.isDisposed else { return }
        downstream.onCompleted()
    }
}
