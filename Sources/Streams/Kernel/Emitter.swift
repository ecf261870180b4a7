import Schedulers

/// The observer of `create`: serialized, and terminated with the stream or the subscription.
@usableFromInline
final class Emitter<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    /// The downstream observer, immutable so that it can be called without being retained.
    @usableFromInline
    final class Target: Sendable {
        @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void

        init(_ handler: @escaping @Sendable (consuming Event<Element>) -> Void) {
            self.handler = handler
        }
    }

    @usableFromInline let serializer = Serializer()
    /// `nil` when the stream has terminated: the captures downstream are freed then, even if the observer is retained. Law 2: accessed
    /// inside the serializer only.
    @usableFromInline @exclusivity(unchecked) var target: Unmanaged<Target>?
    private let mark = Resources.Mark("Emitter")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, parent: Lifetime) {
        target = .passRetained(Target(downstream.handler))
        super.init(parent: parent)
    }

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
        target._withUnsafeGuaranteedRef { $0.handler(event) }
        if event.isStopEvent { releaseTarget() }
    }

    @usableFromInline
    func releaseTarget() {
        let target = self.target
        self.target = nil
        target?.release()
    }

    @usableFromInline
    override func tearDown() {
        serializer.enqueue { [self] in releaseTarget() }
    }
}
