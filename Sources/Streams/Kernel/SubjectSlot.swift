import Schedulers
import Synchronization

/// The place of an observer in a subject's list, whatever its element: disposed by its lifetime.
///
/// Its lifetime owns it, and the list borrows it: it leaves the list before its lifetime releases it, or the queued removal retains it until
/// it has left. So it may only be added while its removal cannot have run yet, and only a slot without a lifetime belongs to the list.
@usableFromInline
class AnySubjectSlot: LifetimeMember, @unchecked Sendable {
    /// Whether replayed elements are being emitted on the subscribing thread. Set before the slot is shared.
    @usableFromInline final let isOpening: Atomic<Bool>
    /// The place in the list; -1 is not in the list. Law 2: accessed only inside the subject's serializer.
    @usableFromInline @exclusivity(unchecked) final var index: Int32 = -1
    /// `nil` where the creator of the slot removes it from the list. Retained manually, to be called without a retain.
    private final let core: Unmanaged<AnySubjectCore>?
    private final let mark = Resources.Mark("SubjectSlot")

    @usableFromInline
    init(core: AnySubjectCore?, parent: Lifetime?, isOpening: Bool) {
        self.core = core.map { .passRetained($0) }
        self.isOpening = Atomic(isOpening)
        super.init(parent: parent)
    }

    deinit {
        core?.release()
    }

    /// Whether the list retains it, because no lifetime does.
    @usableFromInline final var isOwnedByList: Bool { owner == nil }

    /// Enters the list of the subject. Inside its serializer only.
    @usableFromInline
    func enter(_ list: inout SubscriberList) {
        list.append(self)
    }

    @usableFromInline
    override func tearDown() {
        core?._withUnsafeGuaranteedRef { $0.remove(self) }
    }
}

/// One observer of a subject: its closure, and the lifetime that tells whether it is still subscribed.
///
/// What is called is never changed, so the subject walks its list without retaining it; that is sound because the list is changed only
/// by the delivering thread (law 2).
@usableFromInline
class SubjectSlot<Element: Sendable>: AnySubjectSlot, @unchecked Sendable {
    @usableFromInline final let handler: @Sendable (EventReference<Element>) -> Void

    @inlinable
    init(
        _ observer: consuming AnyObserver<Element>, core: SubjectCore<Element>?, parent: Lifetime?, isOpening: Bool = false
    ) {
        handler = observer.handler
        super.init(core: core, parent: parent, isOpening: isOpening)
    }

    @inlinable @inline(__always)
    final func receive(_ event: Event<Element>) {
        guard isAlive else { return }
        guard !isOpening.load(ordering: .acquiring) else { return receiveWhileOpening(event) }
        send(event)
    }

    /// Whether events go to the observer: it is not disposed, and has received the replayed elements.
    @inlinable @inline(__always)
    final var isListening: Bool { isAlive && !isOpening.load(ordering: .acquiring) }

    /// Receives an event whose element becomes that of the observer.
    @inlinable @inline(__always)
    final func forward(_ event: EventReference<Element>) {
        guard isListening else { return receive(event.take()) }
        LockProbe.expectNoLock()
        handler(event)
    }

    /// Calls the observer, which listens.
    @inlinable @inline(__always)
    final func send(_ event: consuming Event<Element>) {
        LockProbe.expectNoLock()
        event.send { event in handler(event) }
    }

    /// Receives an event before the snapshot has been emitted; only a `ReplaySlot` does.
    @usableFromInline
    func receiveWhileOpening(_ event: Event<Element>) {}
}

/// The slot of an observer that receives the replayed elements before the events of the subject.
@usableFromInline
class ReplaySlot<Element: Sendable>: SubjectSlot<Element>, @unchecked Sendable {
    /// Busy while the snapshot is emitted on the subscribing thread; events accepted meanwhile are queued.
    @usableFromInline final let opening = Serializer()

    @inlinable
    init(_ observer: AnyObserver<Element>, core: SubjectCore<Element>?, parent: Lifetime?) {
        super.init(observer, core: core, parent: parent, isOpening: true)
        _ = opening.tryEnter()
    }

    /// Emits the queued events; later ones are received directly.
    @inlinable
    final func open() {
        opening.leave()
        isOpening.store(false, ordering: .releasing)
    }

    @usableFromInline
    final override func receiveWhileOpening(_ event: Event<Element>) {
        opening.enqueue { [self] in
            guard isAlive else { return }
            send(event)
        }
    }
}
