import Schedulers
import Synchronization

/// The observer of `create`: serialized, and terminated with the stream or the subscription.
@usableFromInline
final class Emitter<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    /// The downstream observer. It cannot be copied, so it is called where it is stored, without being retained.
    @usableFromInline
    struct Target: ~Copyable {
        @usableFromInline let handler: @Sendable (consuming EventReference<Element>) -> Void

        @inlinable
        init(_ handler: @escaping @Sendable (consuming EventReference<Element>) -> Void) {
            self.handler = handler
        }
    }

    @usableFromInline let serializer = Serializer()
    /// `nil` after the termination, so that the captures downstream are freed even if the observer is still retained. Law 2: accessed only
    /// inside the serializer, and not changed while it is called.
    @usableFromInline @safe @exclusivity(unchecked) var target: Target?
    /// Whether the terminal event is being delivered; the target is released after that anyway.
    @usableFromInline let isTerminating = Atomic<Bool>(false)
    @usableFromInline let mark = Resources.Mark("Emitter")

    @inlinable
    init(_ downstream: AnyObserver<Element>, parent: Lifetime) {
        target = Target(downstream.handler)
        super.init(parent: parent)
    }

    @inlinable @inline(__always)
    func on(_ event: consuming Event<Element>) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return enqueue(consume event) }
        deliver(consume event)
        serializer.leave()
    }

    @inlinable @inline(never)
    func enqueue(_ event: Event<Element>) {
        serializer.enqueue(mayWait: true) { [self] in deliver(event) }
    }

    @inlinable @inline(__always)
    func deliver(_ event: consuming Event<Element>) {
        guard isAlive else { return }
        LockProbe.expectNoLock()
        // An event that is used again after the call would be copied for it, with a retain of each reference.
        guard !event.isStopEvent else { return deliverLast(consume event) }
        switch target {
        case .some(let target): event.send { event in target.handler(event) }
        case nil: return
        }
    }

    @inlinable @inline(never)
    func deliverLast(_ event: consuming Event<Element>) {
        isTerminating.store(true, ordering: .relaxed)
        switch target {
        case .some(let target): event.send { event in target.handler(event) }
        case nil: return
        }
        target = nil
    }

    @usableFromInline
    override func tearDown() {
        guard !isTerminating.load(ordering: .relaxed) else { return }
        serializer.enqueue { [self] in target = nil }
    }
}
