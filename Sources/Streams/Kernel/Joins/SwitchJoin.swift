import Schedulers

/// Emits what the latest of its upstreams emits: the join of `flatMapLatest`.
@usableFromInline
final class SwitchJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    /// The lifetime of the active upstream; `nil` when it has completed. Law 2: accessed only inside the serializer, like the members below.
    @usableFromInline @exclusivity(unchecked) var latest: Lifetime?
    @usableFromInline @exclusivity(unchecked) var isOuterCompleted = false
    private let mark = Resources.Mark("SwitchJoin")

    @usableFromInline
    override init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        super.init(downstream, lifetime)
    }

    /// Subscribes to the stream whose elements are switched to.
    @inlinable @inline(__always)
    func subscribe<Outer>(
        toOuter source: Observable<Outer>, _ selector: @escaping @Sendable (consuming Outer) throws -> Observable<Element>
    ) {
        let upstream = lifetime.child()
        source.start(
            AnyObserver { [self] event in
                guard upstream.admits(event) else { return }
                switch consume event {
                case .next(let element):
                    // Serially, after the events that the previous stream has emitted.
                    perform((), with: self) { join, _ in join.disposeLatest() }
                    do { switchTo(try selector(element)) } catch { fail(with: error) }
                case .error(let error): fail(with: error)
                case .completed: run { [self] in completeOuter() }
                }
            }, upstream)
    }

    /// Subscribes to the next upstream.
    @inlinable
    func switchTo(_ source: Observable<Element>) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        // Not a `JoinUpstream`: the join retains the latest lifetime, which must not retain the join.
        let inner = lifetime.child()
        perform(inner, with: self) { join, inner in join.latest = inner }
        source.start(
            AnyObserver { [self] event in
                guard !inner.isDisposed else { return }
                perform((event, inner), with: self) { join, input in join.receive(input.0, from: input.1) }
            }, inner)
    }

    /// Handles an event of an upstream: one that is not the latest any more has nothing to say. Inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>, from inner: Lifetime) {
        guard latest === inner else { return }
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): downstream.onError(error)
        case .completed:
            latest = nil
            inner.dispose()
            if isOuterCompleted { downstream.onCompleted() }
        }
    }

    /// Inside the serializer only, like what follows.
    @inlinable
    func disposeLatest() {
        guard latest != nil else { return }
        latest.take()?.dispose()
    }

    @usableFromInline
    func completeOuter() {
        isOuterCompleted = true
        if latest == nil { downstream.onCompleted() }
    }
}
