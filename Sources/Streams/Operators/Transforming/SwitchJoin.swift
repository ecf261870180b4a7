import Schedulers

/// Emits the elements of the latest of its upstreams: the join of `flatMapLatest`.
///
/// The latest upstream is owned by the observer of the outer stream, whose events replace it: `Latest` is its state. The join, which each
/// upstream references, records only whether another upstream may follow.
@usableFromInline
final class SwitchJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    @usableFromInline typealias Upstream = JoinUpstream<SwitchJoin>
    @usableFromInline typealias Latest = SerialState<Upstream?>

    @usableFromInline let outer: Lifetime
    /// Law 2: accessed only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) var isOuterCompleted = false
    private let mark = Resources.Mark("SwitchJoin")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        let gate = lifetime.boundary()
        outer = gate.child()
        super.init(downstream, lifetime, gate: gate)
    }

    /// Subscribes to the stream whose elements are switched to.
    @inlinable @inline(__always)
    func subscribe<Outer>(
        toOuter source: Observable<Outer>, _ selector: @escaping @Sendable (consuming Outer) throws -> Observable<Element>
    ) {
        let latest = Latest(nil)
        source.start(
            .receiving { [self] event in
                guard let event = event.take(in: outer) else { return }
                switch consume event {
                case .next(let element):
                    dispose(latest)
                    do { switchTo(try selector(element), latest) } catch { fail(with: error) }
                case .error(let error): fail(with: error)
                case .completed: completeOuter(after: latest)
                }
            }, outer)
    }

    /// Disposes the latest upstream serially, after the events that it has emitted. A queued disposal is an input of the outer stream,
    /// which is suspended while many inputs are queued.
    @inlinable
    func dispose(_ latest: Latest) {
        if serializer.isIdle {
            latest.value?.dispose()
        } else if let upstream = latest.value.take() {
            enqueueInput { upstream.dispose() }
        }
    }

    /// Subscribes to the next upstream.
    @inlinable
    func switchTo(_ source: Observable<Element>, _ latest: Latest) {
        guard !source.isSynchronous else { return forward(synchronous: source) }
        let upstream = Upstream.begin(for: self, in: gate, reusing: &latest.value)
        // The observer owns the upstream, so the call need not retain it once more: it remains the latest.
        let upstreamLifetime = unsafe Unmanaged.passUnretained(upstream)
        let observer = AnyObserver<Element>.receiving { [upstream = consume upstream] event in
            let event = event.take()
            guard !upstream.isDisposed else { return }
            let join = upstream.join
            join.serialize((consume event, upstream), with: join) { join, input in join.receive(input.0, from: input.1) }
        }
        unsafe upstreamLifetime._withUnsafeGuaranteedRef { source.start(observer, $0) }
    }

    /// Handles an event of an upstream; a disposed one emits nothing. Called inside the serializer only.
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
    func completeOuter(after latest: Latest) {
        run { [self] in
            isOuterCompleted = true
            if latest.value?.isDisposed ?? true { downstream.onCompleted() }
        }
    }
}
