import Schedulers

extension ObservableType {
    /// Makes a stream of each element, subscribes to it at once, and sends their elements one stream after the other, in order.
    ///
    /// ```swift
    /// letters.concatMapEager { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ----a-b-----|
    /// ```
    ///
    /// What comes out of turn waits without bound. At most `maxConcurrent` inner streams run at a time; further elements wait in a queue.
    /// An error or a throw ends it at once and lets all streams go.
    /// Source: [RxJava, concatMapEager](https://reactivex.io/documentation/operators/flatmap.html).
    public func concatMapEager<Source: ObservableType>(
        maxConcurrent: Int = .max, _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return Observable<Source.Element> { downstream, lifetime in
            let order = EagerOrder(downstream, lifetime)
            let line = ConcurrencyLimiter<Element>(
                limit: Swift.max(1, maxConcurrent),
                begin: { element, done in
                    guard !lifetime.isDisposed else { return }
                    let place = order.append()
                    do {
                        order.start(try selector(element).asObservable(), at: place, finished: done)
                    } catch { order.fail(error) }
                })
            let outer = lifetime.child()
            source.start(
                AnyObserver { event in
                    guard event.isStopEvent ? outer.end() : !outer.isDisposed else { return }
                    switch event {
                    case .next(let element):
                        order.add()
                        line.take(element)
                    case .error(let error): order.fail(error)
                    case .completed: order.outerCompleted()
                    }
                }, outer)
        }
    }
}

/// The streams of a `concatMapEager`: the first in line is heard, what the others send waits.
private final class EagerOrder<Element: Sendable>: @unchecked Sendable {
    /// The place of one stream in the line. Law 2: used only inside the gate.
    final class Place: @unchecked Sendable {
        @exclusivity(unchecked) var waiting = ElementQueue<Element>()
        @exclusivity(unchecked) var isDone = false
    }

    private let gate = SharedSerializer()
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    /// Law 2: used only inside the gate, like what follows.
    @exclusivity(unchecked) private var places = ElementQueue<Place>()
    @exclusivity(unchecked) private var expected = 0
    @exclusivity(unchecked) private var isOuterDone = false
    private let mark = Resources.Mark("EagerOrder")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Counts an element whose stream is to come.
    func add() {
        gate.run { [self] in expected += 1 }
    }

    func append() -> Place {
        let place = Place()
        gate.run { [self] in places.append(place) }
        return place
    }

    func start(_ source: Observable<Element>, at place: Place, finished: @escaping @Sendable () -> Void) {
        gate.start(source, in: lifetime.child(), finished: finished) { [self] event in take(event, at: place) }
    }

    private func take(_ event: Event<Element>, at place: Place) {
        guard !lifetime.isDisposed else { return }
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
        gate.run { [self] in
            guard !lifetime.isDisposed else { return }
            downstream.onError(error)
        }
    }

    func outerCompleted() {
        gate.run { [self] in
            isOuterDone = true
            advance()
        }
    }

    /// Sends what the first in line has waiting, and moves on past those that are done.
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
