import Schedulers

/// Emits what the latest of its upstreams emits: the join of `flatMapLatest`.
@usableFromInline
final class SwitchJoin<Element: Sendable>: FlatteningJoin<Element>, @unchecked Sendable {
    /// The lifetime of one upstream, which references the join as a `JoinUpstream` does.
    @usableFromInline
    final class Upstream: ChildLifetime, @unchecked Sendable {
        // Law 2: nothing stored changes.
        @usableFromInline let join: SwitchJoin

        @inlinable
        init(of join: SwitchJoin) {
            self.join = join
            super.init(of: join.lifetime)
            attach()
        }

        /// The join references the latest upstream: neither is to retain the other once the operator is disposed.
        @usableFromInline
        override func parentDidDispose() {
            join.replaceLatest(with: nil)
        }
    }

    /// The lifetime of the active upstream. While the outer stream emits, also one that was disposed, for the next upstream to reuse.
    /// Law 2: accessed only inside the serializer, like the member below.
    @usableFromInline @exclusivity(unchecked) var latest: Upstream?
    @usableFromInline @exclusivity(unchecked) var isOuterCompleted = false
    /// Whether the latest upstream was not synchronous. Law 2: accessed by the outer stream only.
    @usableFromInline @exclusivity(unchecked) var hasSwitched = false
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
            AnyObserver.receiving { [self] event in
                let event = event.take()
                guard upstream.admits(event) else { return }
                switch consume event {
                case .next(let element):
                    // Serially, after the events that the previous stream has emitted.
                    if hasSwitched { perform((), with: self) { join, _ in join.disposeLatest() } }
                    do { switchTo(try selector(element)) } catch { fail(with: error) }
                case .error(let error): fail(with: error)
                case .completed: run { [self] in completeOuter() }
                }
            }, upstream)
    }

    /// Subscribes to the next upstream.
    @inlinable
    func switchTo(_ source: Observable<Element>) {
        guard !source.isSynchronous else {
            if hasSwitched { replaceLatest(with: nil) }
            hasSwitched = false
            return forward(synchronous: source)
        }
        hasSwitched = true
        let upstream = begin()
        let lifetime = Unmanaged.passUnretained(upstream)
        // The observer owns the upstream, which is not retained once more for the call.
        let observer = AnyObserver<Element>.receiving { [upstream = consume upstream] event in
            let event = event.take()
            guard !upstream.isDisposed else { return }
            let join = upstream.join
            join.perform((consume event, upstream), with: join) { join, input in join.receive(input.0, from: input.1) }
        }
        withExtendedLifetime(observer) {
            lifetime._withUnsafeGuaranteedRef { source.start(observer, $0) }
        }
    }

    /// Makes the lifetime of the next upstream, which is the latest one now.
    @inlinable
    func begin() -> Upstream {
        guard serializer.tryEnter() else {
            let upstream = Upstream(of: self)
            replaceLatest(with: upstream)
            return upstream
        }
        defer { serializer.leave() }
        if let upstream = ChildLifetime.renew(&latest) { return upstream }
        let upstream = Upstream(of: self)
        latest = upstream.isDisposed ? nil : upstream
        return upstream
    }

    /// Replaces the latest upstream serially, whether or not the operator is disposed.
    @usableFromInline
    func replaceLatest(with upstream: Upstream?) {
        serializer.enqueue { [self] in latest = lifetime.isDisposed ? nil : upstream }
    }

    /// Handles an error of the outer stream, or of the closure, which ends the operator.
    @usableFromInline
    override func fail(with error: any Error) {
        replaceLatest(with: nil)
        super.fail(with: error)
    }

    /// Handles an event of an upstream: one that is not the latest any more has nothing to say. Inside the serializer only.
    @inlinable
    func receive(_ event: consuming Event<Element>, from upstream: Upstream) {
        guard latest === upstream, !upstream.isDisposed else { return }
        switch consume event {
        case .next(let element): downstream.onNext(element)
        case .error(let error): downstream.onError(error)
        case .completed:
            latest = nil
            upstream.dispose()
            if isOuterCompleted { downstream.onCompleted() }
        }
    }

    /// Inside the serializer only, like what follows.
    @inlinable
    func disposeLatest() {
        // Replaced only inside the serializer, so it need not be retained for the call.
        latest.map(Unmanaged.passUnretained)?._withUnsafeGuaranteedRef { $0.dispose() }
    }

    @usableFromInline
    func completeOuter() {
        isOuterCompleted = true
        if latest == nil { downstream.onCompleted() }
    }
}
