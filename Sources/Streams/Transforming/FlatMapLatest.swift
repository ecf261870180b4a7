import Schedulers

extension ObservableType {
    /// Makes a stream of each element and sends the elements of the latest one only: a new element lets the stream before go.
    ///
    /// ```swift
    /// searchText.flatMapLatest { text in search(text) }
    /// // --x----y------|
    /// // ----a----b-c--|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. Source: [RxSwift, flatMapLatest; ReactiveX,
    /// Switch](https://reactivex.io/documentation/operators/switch.html).
    @inlinable
    public func flatMapLatest<Source: ObservableType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMapLatest { try selector($0).asObservable() }
    }
}

extension Observable {
    @usableFromInline
    func _flatMapLatest<Result>(_ selector: @escaping @Sendable (Element) throws -> Observable<Result>) -> Observable<Result> {
        let start = start
        return Observable<Result> { downstream, lifetime in
            let switcher = Switcher(downstream, lifetime)
            let outer = lifetime.child()
            start(
                AnyObserver { event in
                    guard !outer.isDisposed else { return }
                    switch event {
                    case .next(let element):
                        let inner = switcher.next()
                        do {
                            switcher.start(try selector(element), in: inner)
                        } catch { switcher.fail(error) }
                    case .error(let error): switcher.fail(error)
                    case .completed: switcher.outerCompleted(outer)
                    }
                }, outer)
        }
    }
}

/// The streams of a `flatMapLatest`, of which only the latest is heard.
final class Switcher<Element: Sendable>: @unchecked Sendable {
    private let gate = SerialEntrance()
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    /// The lifetime of the stream that is heard; nil when it has completed. Law 2: used only inside the gate, like what follows.
    @exclusivity(unchecked) private var latest: Lifetime?
    @exclusivity(unchecked) private var isOuterDone = false
    private let mark = Resources.Mark("Switcher")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Lets the stream before go at its turn, behind what that has sent already, and gives the lifetime for the next.
    func next() -> Lifetime {
        let inner = lifetime.child()
        gate.enqueue { [self] in
            let before = latest
            latest = inner
            before?.dispose()
        }
        return inner
    }

    func start(_ source: Observable<Element>, in inner: Lifetime) {
        source.start(
            AnyObserver { [self] event in
                guard gate.tryEnter() else { return gate.enqueue { [self] in take(event, of: inner) } }
                take(event, of: inner)
                gate.leave()
            }, inner)
    }

    func fail(_ error: any Error) {
        gate.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            downstream.onError(error)
        }
    }

    func outerCompleted(_ outer: Lifetime) {
        gate.enqueue { [self] in
            guard outer.end() else { return }
            isOuterDone = true
            if latest == nil { downstream.onCompleted() }
        }
    }

    private func take(_ event: Event<Element>, of inner: Lifetime) {
        guard !inner.isDisposed else { return }
        guard case .completed = event else { return downstream.on(event) }
        inner.end()
        latest = nil
        if isOuterDone { downstream.onCompleted() }
    }
}
