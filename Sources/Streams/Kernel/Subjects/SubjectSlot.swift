import Schedulers
import Synchronization

/// The place of an observer in a subject's list, for any type of element. Its lifetime disposes it.
///
/// The lifetime owns the slot, and the list borrows it. The slot leaves the list before the lifetime releases it, or the queued removal
/// retains it until it has left. So it may be added only as long as its removal cannot have run.
@usableFromInline
@safe class AnySubjectSlot: LifetimeMember, @unchecked Sendable {
    /// Whether replayed elements are being emitted on the subscribing thread. It is set before the slot is shared.
    @usableFromInline final let isOpening: Atomic<Bool>
    /// The place in the list. Law 2: changes only inside the subject's serializer.
    @usableFromInline final let index = Atomic<Int32>(SubscriberList.unlisted)
    /// The core, retained manually, so that calling it requires no retain.
    @usableFromInline final let core: Unmanaged<AnySubjectCore>
    private final let mark = Resources.Mark("SubjectSlot")

    @usableFromInline
    init(core: borrowing AnySubjectCore, parent: borrowing Lifetime, isOpening: Bool) {
        unsafe self.core = unsafe .passRetained(copy core)
        self.isOpening = Atomic(isOpening)
        super.init(parent: copy parent)
    }

    deinit {
        unsafe core.release()
    }

    @usableFromInline
    override func tearDown() {
        // The removal of a slot that the terminal event is sent to would be queued until that has been handled.
        guard index.load(ordering: .relaxed) != SubscriberList.removedForever else { return }
        unsafe core._withUnsafeGuaranteedRef { $0.remove(self) }
    }

    /// Receives the completion of the subject.
    @usableFromInline
    func receiveCompletion() {}

    /// Called after the terminal event of the subject.
    @usableFromInline
    func didStop() {
        detach()
    }
}

/// One observer of a subject: its closure, and the lifetime that determines whether it is still subscribed.
///
/// The closure never changes, and only the delivering thread changes the list (law 2), so the subject iterates over its list without
/// retaining the slots.
@usableFromInline
class SubjectSlot<Element: Sendable>: AnySubjectSlot, @unchecked Sendable {
    @usableFromInline final let handler: @Sendable (consuming EventReference<Element>) -> Void

    @inlinable
    init(
        _ observer: consuming AnyObserver<Element>, core: borrowing SubjectCore<Element>, parent: borrowing Lifetime,
        isOpening: Bool = false
    ) {
        handler = (consume observer).handler
        super.init(core: core, parent: parent, isOpening: isOpening)
    }

    @inlinable @inline(__always)
    final func receive(_ event: Event<Element>) {
        guard isAlive else { return }
        guard !isOpening.load(ordering: .acquiring) else { return receiveWhileOpening(event) }
        send(event)
    }

    /// Whether the observer receives events directly: it is not disposed, and has received the replayed elements.
    @inlinable @inline(__always)
    final var isListening: Bool { isAlive && !isOpening.load(ordering: .acquiring) }

    /// Receives an event, and passes the ownership of its element to the observer.
    @inlinable @inline(__always)
    final func forward(_ event: consuming EventReference<Element>) {
        guard isListening else { return receive(event.take()) }
        LockProbe.expectNoLock()
        handler(event)
    }

    @usableFromInline
    final override func receiveCompletion() {
        guard isListening else { return receiveCompletionLater() }
        LockProbe.expectNoLock()
        handler(.completed)
    }

    @inline(never)
    private final func receiveCompletionLater() {
        receive(.completed)
    }

    /// Calls the observer.
    @inlinable @inline(__always)
    final func send(_ event: consuming Event<Element>) {
        LockProbe.expectNoLock()
        event.send { event in handler(event) }
    }

    /// Receives an event before the snapshot has been emitted; only a `ReplaySlot` does. It is no method to override, which would look up types.
    @inlinable @inline(never)
    final func receiveWhileOpening(_ event: Event<Element>) {
        unsafe unsafeDowncast(self, to: ReplaySlot<Element>.self).receiveLater(event)
    }
}

/// The slot of an observer that receives the replayed elements before the events of the subject.
@usableFromInline
class ReplaySlot<Element: Sendable>: SubjectSlot<Element>, @unchecked Sendable {
    /// Busy while the snapshot is emitted on the subscribing thread; events accepted meanwhile are queued.
    @usableFromInline final let opening = Serializer()

    @inlinable
    init(_ observer: consuming AnyObserver<Element>, core: borrowing SubjectCore<Element>, parent: borrowing Lifetime) {
        super.init(observer, core: core, parent: parent, isOpening: true)
        _ = opening.tryEnter()
    }

    /// Emits the queued events; later ones are received directly.
    @inlinable
    final func open() {
        opening.leave()
        isOpening.store(false, ordering: .releasing)
    }

    @inlinable
    final func receiveLater(_ event: Event<Element>) {
        opening.enqueue { [self] in
            guard isAlive else { return }
            send(event)
        }
    }
}
