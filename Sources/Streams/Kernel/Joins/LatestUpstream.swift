import Schedulers

/// The lifetime of the latest of several upstreams, which begins anew for each of them.
///
/// It belongs to the outer stream, which alone replaces it. With the operator it is disposed by its registration, which only refers to it:
/// once the outer stream is released, an upstream that is still active is registered like any other.
@usableFromInline
final class LatestUpstream<Element: Sendable>: @unchecked Sendable {
    @usableFromInline typealias Upstream = JoinUpstream<SwitchJoin<Element>>

    @usableFromInline let join: SwitchJoin<Element>
    @usableFromInline let registration: UpstreamRegistration
    /// Law 2: accessed by the outer stream only.
    @usableFromInline @exclusivity(unchecked) var upstream: Upstream?

    @inlinable
    init(of join: SwitchJoin<Element>) {
        self.join = join
        registration = UpstreamRegistration(parent: join.lifetime)
        registration.attach()
    }

    @inlinable
    deinit {
        if let upstream, !upstream.isDisposed { return registration.handOver(upstream, in: join) }
        registration.remove()
    }

    /// Whether there is none that can still emit.
    @inlinable
    var isDisposed: Bool { upstream?.isDisposed ?? true }

    /// Begins the lifetime of the next upstream: it is the one before, disposed, if nothing else references that, so that nobody can take
    /// one life for the other. If the operator has been disposed, so is the upstream.
    @inlinable
    func begin() -> Upstream {
        if isKnownUniquelyReferenced(&upstream) {
            upstream?.members.reopen()
        } else {
            replace(by: Upstream(of: join, in: join.lifetime))
        }
        let next = upstream.unsafelyUnwrapped
        // The disposal of the operator on another thread has marked its lifetime by now, or ends the upstream as it is now.
        if join.lifetime.isDisposed { next.dispose() }
        return next
    }

    @usableFromInline
    func replace(by next: Upstream) {
        registration.refer(to: next)
        upstream = next
    }

    /// Disposes the upstream serially, after the events that it has emitted.
    @inlinable
    func dispose() {
        guard let current = upstream.map(Unmanaged.passUnretained) else { return }
        guard join.serializer.isIdle else { return disposeLater() }
        current._withUnsafeGuaranteedRef { $0.disposeUnregistered() }
    }

    @usableFromInline
    func disposeLater() {
        guard let previous = upstream.take() else { return }
        registration.retain(previous)
        join.serializer.enqueue { [registration] in
            previous.dispose()
            registration.release(previous)
        }
    }
}

/// What disposes the upstreams of a `LatestUpstream` with their operator.
@usableFromInline
final class UpstreamRegistration: LifetimeMember, @unchecked Sendable {
    // Law 3: nothing stored changes but under the lock.
    private struct Upstreams {
        /// Referred to until another one is, or none.
        var latest: Unmanaged<ChildLifetime>?
        /// The previous ones that have yet to be disposed.
        var previous: [ChildLifetime] = []
    }

    private let upstreams = Lock(Upstreams())

    @usableFromInline
    init(parent: Lifetime) {
        super.init(parent: parent)
    }

    @usableFromInline
    func refer(to latest: ChildLifetime?) {
        upstreams.withLock { $0.latest = latest.map(Unmanaged.passUnretained) }
    }

    /// Retains the latest upstream, which another one succeeds before it is disposed.
    @usableFromInline
    func retain(_ previous: ChildLifetime) {
        upstreams.withLock { upstreams in
            upstreams.latest = nil
            upstreams.previous.append(previous)
        }
    }

    /// Releases one that has been disposed, and that the caller references.
    @usableFromInline
    func release(_ previous: ChildLifetime) {
        upstreams.withLock { upstreams in upstreams.previous.removeAll { $0 === previous } }
    }

    /// Registers the last upstream with the operator by itself. Serially, so that it cannot terminate meanwhile.
    @usableFromInline
    func handOver(_ last: ChildLifetime, in join: SharedSerializer) {
        join.serializer.enqueue { [self] in
            if !last.isDisposed { last.attach() }
            remove()
        }
    }

    /// Removes this from the lifetime of the operator, unless that has been disposed.
    @usableFromInline
    func remove() {
        refer(to: nil)
        if isAlive { detach() }
    }

    override func endWithParent() -> Unmanaged<MemberNode>? {
        let (latest, previous) = upstreams.withLock { ($0.latest?.takeUnretainedValue(), $0.previous) }
        var next = MemberList.node(older)
        if let latest { next = latest.members.end(before: next) }
        for upstream in previous { next = upstream.members.end(before: next) }
        return next
    }
}
