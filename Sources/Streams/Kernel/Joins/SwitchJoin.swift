import Schedulers

/// Emits what the latest of its upstreams emits: the join of `flatMapLatest`.
///
/// The latest upstream belongs to the outer stream, whose events replace it; the join only knows whether another one may follow. So neither
/// references the other, and nothing has to be cleared when the operator is disposed.
@usableFromInline
final class SwitchJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    @usableFromInline typealias Upstream = JoinUpstream<SwitchJoin>

    @usableFromInline let outer: Lifetime
    /// The parent of the upstreams: alone in its list, the latest one is removed without a lock.
    @usableFromInline let upstreams: Lifetime
    /// Law 2: accessed only inside the serializer.
    @usableFromInline @exclusivity(unchecked) var isOuterCompleted = false
    private let mark = Resources.Mark("SwitchJoin")

    @usableFromInline
    override init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        outer = lifetime.child()
        upstreams = lifetime.child()
        super.init(downstream, lifetime)
    }

    /// Subscribes to the stream whose elements are switched to.
    @inlinable @inline(__always)
    func subscribe<Outer>(
        toOuter source: Observable<Outer>, _ selector: @escaping @Sendable (consuming Outer) throws -> Observable<Element>
    ) {
        let latest = SerialState<Upstream?>(nil)
        source.start(
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard outer.admits(event) else { return }
                switch consume event {
                case .next(let element):
                    dispose(&latest.value)
                    do { switchTo(try selector(element), &latest.value) } catch { fail(with: error) }
                case .error(let error): fail(with: error)
                case .completed: completeOuter(after: latest.value.take())
                }
            }, outer)
    }

    /// Disposes the latest upstream serially, after the events that it has emitted. One that has terminated remains, to be reused.
    @inlinable
    func dispose(_ latest: inout Upstream?) {
        guard let upstream = latest.map(Unmanaged.passUnretained) else { return }
        guard serializer.isIdle else {
            let previous = latest.take()
            return serializer.enqueue { previous?.dispose() }
        }
        upstream._withUnsafeGuaranteedRef { $0.dispose() }
    }

    /// Subscribes to the next upstream, which is `latest` then.
    @inlinable
    func switchTo(_ source: Observable<Element>, _ latest: inout Upstream?) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        let upstream = Upstream.begin(for: self, in: upstreams, reusing: &latest)
        // The observer owns the upstream, which is not retained once more for the call: it remains the latest.
        let lifetime = Unmanaged.passUnretained(upstream)
        let observer = AnyObserver<Element>.receiving { [upstream = consume upstream] event in
            let event = event.take()
            guard !upstream.isDisposed else { return }
            let join = upstream.join
            join.perform((consume event, upstream), with: join) { join, input in join.receive(input.0, from: input.1) }
        }
        lifetime._withUnsafeGuaranteedRef { source.start(observer, $0) }
    }

    /// Handles an event of an upstream: one that was disposed has nothing to say any more. Inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>, from upstream: Upstream) {
        guard !upstream.isDisposed else { return }
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): downstream.onError(error)
        case .completed:
            upstream.dispose()
            if isOuterCompleted { downstream.onCompleted() }
        }
    }

    /// Completes when the latest upstream has.
    @usableFromInline
    func completeOuter(after latest: Upstream?) {
        run { [self] in
            isOuterCompleted = true
            if latest?.isDisposed ?? true { downstream.onCompleted() }
        }
    }
}
