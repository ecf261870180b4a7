import Schedulers
import Synchronization

/// The observer of `create`: serialized, and terminated with the stream or the subscription.
@usableFromInline
final class Emitter<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    /// The downstream observer, immutable so that it can be called without being retained.
    @usableFromInline
    final class Target: Sendable {
        @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void

        @inlinable
        init(_ handler: @escaping @Sendable (consuming Event<Element>) -> Void) {
            self.handler = handler
        }
    }

    @usableFromInline let serializer = Serializer()
    /// `nil` when the stream has terminated: the captures downstream are freed then, even if the observer is retained. Law 2: accessed
    /// inside the serializer only.
    @usableFromInline @exclusivity(unchecked) var target: Unmanaged<Target>?
    /// Whether the terminal event is being delivered, after which the target is released without being asked to.
    @usableFromInline let isTerminating = Atomic<Bool>(false)
    @usableFromInline let mark = Resources.Mark("Emitter")

    @inlinable
    init(_ downstream: AnyObserver<Element>, parent: Lifetime) {
        target = .passRetained(Target(downstream.handler))
        super.init(parent: parent)
    }

    @inlinable
    deinit {
        target?.release()
    }

    @inlinable @inline(__always)
    func on(_ event: Event<Element>) {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in deliver(event) } }
        deliver(event)
        serializer.leave()
    }

    @inlinable @inline(__always)
    func deliver(_ event: Event<Element>) {
        guard isAlive, let target else { return }
        LockProbe.expectNoLock()
        let isLast = event.isStopEvent
        if isLast { isTerminating.store(true, ordering: .relaxed) }
        target._withUnsafeGuaranteedRef { $0.handler(event) }
        if isLast { releaseTarget() }
    }

    @inlinable
    func releaseTarget() {
        let target = self.target
        self.target = nil
        target?.release()
    }

    @usableFromInline
    override func tearDown() {
        guard !isTerminating.load(ordering: .relaxed) else { return }
        serializer.enqueue { [self] in releaseTarget() }
    }
}
