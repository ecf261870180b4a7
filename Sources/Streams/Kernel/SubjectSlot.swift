import Schedulers

/// The place of an observer in a subject's list, whatever its element: disposed by its lifetime.
@usableFromInline
class AnySubjectSlot: LifetimeMember, @unchecked Sendable {
    /// Who is called before others, whenever both subscribed: a context's listeners by their kind.
    @usableFromInline final let rank: UInt8
    /// The place in the list; -1 is not in the list. Law 2: accessed only inside the subject's serializer.
    @usableFromInline @exclusivity(unchecked) final var index: Int32 = -1
    /// `nil` where the creator of the slot removes it from the list.
    private final let core: AnySubjectCore?
    private final let mark = Resources.Mark("SubjectSlot")

    @usableFromInline
    init(core: AnySubjectCore?, parent: Lifetime?, rank: UInt8) {
        self.core = core
        self.rank = rank
        super.init(parent: parent)
    }

    @usableFromInline
    override func tearDown() {
        core?.serializer.enqueue { [self] in core?.observers.remove(self) }
    }
}

/// One observer of a subject: its closure, and the lifetime that says whether it still listens.
///
/// What is called is never changed, so the subject walks its list without retaining it; that is sound because the list is changed only
/// by the delivering thread (law 2).
@usableFromInline
class SubjectSlot<Element: Sendable>: AnySubjectSlot, @unchecked Sendable {
    @usableFromInline final let handler: @Sendable (consuming Event<Element>) -> Void
    /// Entered while the held values are being sent on the subscribing thread; what is accepted meanwhile waits behind them.
    @usableFromInline final let opening = Serializer()

    @inlinable
    init(_ observer: AnyObserver<Element>, core: SubjectCore<Element>?, parent: Lifetime?, rank: UInt8 = .max) {
        handler = observer.handler
        super.init(core: core, parent: parent, rank: rank)
    }

    @inlinable @inline(__always)
    final func receive(_ event: Event<Element>) {
        guard isAlive else { return }
        guard opening.isIdle else { return receiveWhileOpening(event) }
        LockProbe.expectNoLock()
        handler(event)
    }

    @usableFromInline
    final func receiveWhileOpening(_ event: Event<Element>) {
        opening.enqueue { [self] in
            guard isAlive else { return }
            handler(event)
        }
    }
}
