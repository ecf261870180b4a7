import Schedulers

/// One observer of a subject: its closure, and the lifetime that says whether it still listens.
///
/// What is called is never changed, so the subject walks its list without retaining it; that is sound because the list is changed only
/// by whoever is delivering (law 2).
@usableFromInline
final class SubjectSlot<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void
    /// Entered while the held values are being sent on the subscribing thread; what is accepted meanwhile waits behind them.
    @usableFromInline let opening = Serializer()
    /// Nil where whoever made the slot takes it out of the list.
    @usableFromInline let core: SubjectCore<Element>?
    /// Who is called before others, whenever both subscribed: a context's listeners by their kind.
    @usableFromInline let rank: UInt8
    @usableFromInline let mark = Resources.Mark("SubjectSlot")
    /// The place in the list; -1 is not in the list. Law 2: used only inside the subject's serializer.
    @usableFromInline @exclusivity(unchecked) var index = -1

    @inlinable
    init(_ observer: AnyObserver<Element>, core: SubjectCore<Element>?, parent: Lifetime?, rank: UInt8 = .max) {
        handler = observer.handler
        self.core = core
        self.rank = rank
        super.init(parent: parent)
    }

    @inlinable @inline(__always)
    func receive(_ event: Event<Element>) {
        guard isAlive else { return }
        guard opening.isIdle else { return receiveWhileOpening(event) }
        LockProbe.expectNoLock()
        handler(event)
    }

    @usableFromInline
    func receiveWhileOpening(_ event: Event<Element>) {
        opening.enqueue { [self] in
            guard isAlive else { return }
            handler(event)
        }
    }

    /// Goes into the subject's list at its turn. A closure that captures one reference only needs no allocation.
    @inlinable
    func enter() {
        core?.serializer.enqueue { [self] in core?.insert(self) }
    }

    @usableFromInline
    override func tearDown() {
        core?.serializer.enqueue { [self] in core?.observers.remove(self) }
    }
}
