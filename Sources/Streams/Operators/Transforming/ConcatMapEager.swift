import Schedulers

extension ObservableType {
    /// Maps each element to a stream, subscribes to it immediately, and emits the elements of the streams one stream after the other, in
    /// order.
    ///
    /// ```swift
    /// letters.concatMapEager { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a-b-----|
    /// ```
    ///
    /// An inner stream with 128 elements out of order is suspended. This stream is suspended while 128 completed inner streams wait for
    /// their turn. At most `maxConcurrent` inner streams are active; further elements are queued. Fails immediately at an error or if the
    /// closure throws, and disposes all streams. Source: [RxJava,
    /// concatMapEager](https://reactivex.io/documentation/operators/flatmap.html).
    @inlinable
    public func concatMapEager<Source: ObservableConvertibleType>(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable<Source.Element> { downstream, lifetime in
            let order = EagerOrder(downstream, lifetime)
            ConcurrencyLimiter<Element>(order.outer, limit: Swift.max(1, maxConcurrent)) { error in
                if let error { order.fail(error) } else { order.outerCompleted() }
            } begin: { element, limiter in
                do { order.start(try selector(element).asInnerObservable(), finished: limiter.finish) } catch { order.fail(error) }
                return true
            }
            .subscribe(to: source)
        }
    }
}

/// The streams of a `concatMapEager`: the first one emits, and the elements of the others are buffered.
@usableFromInline
final class EagerOrder<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    /// The position of one stream. Law 2: accessed only inside the serializer, like the state.
    @usableFromInline typealias Place = SerialState<(gate: Gate, waiting: ElementQueue<Element>, isDone: Bool)>

    @usableFromInline let downstream: AnyObserver<Element>
    /// The gate of upstream, closed while `capacity` streams have completed before their turn.
    @usableFromInline let outer: Gate
    @usableFromInline let state = SerialState((places: ElementQueue<Place>(), completed: 0, isOuterDone: false))
    @usableFromInline let mark = Resources.Mark("EagerOrder")

    @inlinable
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        let gate = lifetime.boundary()
        outer = gate.boundary()
        super.init(lifetime, gate: gate)
    }

    @inlinable
    func start(_ source: Observable<Element>, finished: @escaping @Sendable () -> Void) {
        let upstream = gate.boundary()
        let place = Place((upstream, ElementQueue(), false))
        serialize(place, with: self) { order, place in order.state.value.places.append(place) }
        subscribe(to: source, in: upstream, finished: finished) { [self] event in take(event, at: place) }
    }

    @inlinable
    func take(_ event: Event<Element>, at place: Place) {
        switch event {
        case .next(let element):
            if state.value.places.first === place, place.value.waiting.isEmpty { return downstream.onNext(element) }
            place.value.waiting.append(element)
            if place.value.waiting.count >= Self.capacity { place.value.gate.suspend() }
        case .error(let error): downstream.onError(error)
        case .completed:
            place.value.isDone = true
            state.value.completed += 1
            advance()
            if state.value.completed >= Self.capacity { outer.suspend() }
        }
    }

    /// The number of elements that are buffered for a stream before its turn, and the number of completed streams that may wait.
    @inlinable static var capacity: Int { BufferingPolicy.aheadCapacity }

    @inlinable
    func fail(_ error: any Error) {
        run { [downstream] in downstream.onError(error) }
    }

    @inlinable
    func outerCompleted() {
        run { [self] in
            state.value.isOuterDone = true
            advance()
        }
    }

    /// Emits the buffered elements of the first stream, and advances past completed ones.
    @inlinable
    func advance() {
        while let first = state.value.places.first {
            while lifetime.mayEmit, let element = first.value.waiting.popFirst() { downstream.onNext(element) }
            guard first.value.waiting.isEmpty else { return runWhenResumed { [self] in advance() } }
            if first.value.gate.isClosed { resume(first.value.gate) }
            guard first.value.isDone else { return }
            _ = state.value.places.popFirst()
            state.value.completed -= 1
            if outer.isClosed, state.value.completed < Self.capacity { resume(outer) }
        }
        if state.value.isOuterDone, !lifetime.isDisposed { downstream.onCompleted() }
    }
}
