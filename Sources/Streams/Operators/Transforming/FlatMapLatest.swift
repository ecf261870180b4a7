import Schedulers

extension ObservableType {
    /// Makes a stream of each element and sends the elements of the latest one only: a new element lets the stream before go.
    ///
    /// ```swift
    /// letters.flatMapLatest { letter in load(letter) }
    /// // -a-b--------|        each is loaded for three seconds
    /// // ------b-----|
    /// ```
    ///
    /// Completes when upstream and the latest inner stream have. An error or a throw ends it at once and lets both go.
    /// Source: [RxSwift, flatMapLatest; ReactiveX, Switch](https://reactivex.io/documentation/operators/switch.html).
    @inlinable @inline(__always)
    public func flatMapLatest<Source: ObservableType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        asObservable()._flatMapLatest { try selector($0).asObservable() }
    }
}

extension Observable {
    @inlinable @inline(__always)
    func _flatMapLatest<Result>(_ selector: @escaping @Sendable (Element) throws -> Observable<Result>) -> Observable<Result> {
        let start = start
        return Observable<Result> { downstream, lifetime in
            let switcher = Switcher(downstream, lifetime)
            let outer = lifetime.child()
            start(
                AnyObserver { event in
                    guard !outer.isDisposed else { return }
                    switch consume event {
                    case .next(let element):
                        switcher.disposeLatest()
                        do { switcher.run(try selector(element)) } catch { switcher.fail(error) }
                    case .error(let error): switcher.fail(error)
                    case .completed: switcher.outerCompleted(outer)
                    }
                }, outer)
        }
    }
}

/// The streams of a `flatMapLatest`, of which only the latest is heard.
@usableFromInline
final class Switcher<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let gate = Serializer()
    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline let lifetime: Lifetime
    /// The lifetime of the stream that is heard; nil when it has completed. Law 2: used only inside the gate, like what follows.
    @usableFromInline @exclusivity(unchecked) var latest: Lifetime?
    @exclusivity(unchecked) private var isOuterDone = false
    private let mark = Resources.Mark("Switcher")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Lets the stream that is heard go at its turn, behind what that has sent already.
    @inlinable
    func disposeLatest() {
        guard gate.tryEnter() else { return gate.enqueue { [self] in disposeInner() } }
        if latest != nil { disposeInner() }
        gate.leave()
    }

    /// Starts the stream to hear next. One that sends in place needs no lifetime of its own and is over when this returns.
    @inlinable
    func run(_ source: Observable<Element>) {
        guard source.isSynchronous else { return start(source) }
        source.start(
            AnyObserver { [self] event in
                switch consume event {
                case .next(let element):
                    guard gate.tryEnter() else { return gate.enqueue { [self] in send(element) } }
                    send(element)
                    gate.leave()
                case .error(let error): fail(error)
                case .completed: break
                }
            }, lifetime)
    }

    @inlinable
    func send(_ element: consuming Element) {
        guard !lifetime.isDisposed else { return }
        downstream.onNext(consume element)
    }

    @usableFromInline
    func start(_ source: Observable<Element>) {
        let inner = lifetime.child()
        gate.enqueue { [self] in latest = inner }
        source.start(
            AnyObserver { [self] event in
                guard gate.tryEnter() else { return gate.enqueue { [self] in take(event, of: inner) } }
                take(event, of: inner)
                gate.leave()
            }, inner)
    }

    @usableFromInline
    func fail(_ error: any Error) {
        gate.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            downstream.onError(error)
        }
    }

    @usableFromInline
    func outerCompleted(_ outer: Lifetime) {
        gate.enqueue { [self] in
            guard outer.end() else { return }
            isOuterDone = true
            if latest == nil { downstream.onCompleted() }
        }
    }

    @usableFromInline
    func disposeInner() {
        latest.take()?.dispose()
    }

    private func take(_ event: Event<Element>, of inner: Lifetime) {
        guard !inner.isDisposed else { return }
        guard case .completed = event else { return downstream.on(event) }
        inner.end()
        latest = nil
        if isOuterDone { downstream.onCompleted() }
    }
}
