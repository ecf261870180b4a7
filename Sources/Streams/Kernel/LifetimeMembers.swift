import Schedulers
import Synchronization

/// A resource that a lifetime disposes.
///
/// Subclasses represent what a subscription leaves behind: an observer in a subject's list, a timer, a disposable of the user.
@usableFromInline
package class LifetimeMember: MemberNode, @unchecked Sendable {
    // Law 4: the reference to the parent does not change.
    /// Retained manually, to be read for each event without a retain.
    @usableFromInline final let owner: Unmanaged<Lifetime>?
    private final let links = MemberLinks()
    /// Whether a member of no lifetime was closed.
    @usableFromInline final let isClosed = Atomic<Bool>(false)

    /// Creates a member of `parent`; `attach()` registers it.
    @inlinable
    package init(parent: Lifetime?) {
        owner = parent.map { Unmanaged.passRetained($0) }
        super.init()
    }

    deinit {
        owner?.release()
    }

    /// The lifetime that it belongs to.
    final var parent: Lifetime? { owner?.takeUnretainedValue() }

    /// Whether the parent is active, so that events may be emitted.
    @inlinable @inline(__always)
    package final var isAlive: Bool {
        // Retaining the parent for each event would cost as much as the event.
        guard let owner else { return !isClosed.load(ordering: .relaxed) }
        return !owner._withUnsafeGuaranteedRef { $0.isDisposed }
    }

    /// Ends what belongs to no lifetime: nothing more may be sent.
    final func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    /// Performs the disposal. Runs once, with no lock held, on the thread that disposes the parent.
    @usableFromInline
    package func tearDown() {}

    /// Registers this with its parent. If the parent has been disposed, releases the resource immediately and returns `false`.
    @discardableResult
    @usableFromInline
    package final func attach() -> Bool {
        guard let owner, !owner._withUnsafeGuaranteedRef({ $0.members.add(self, links) }) else { return true }
        tearDown()
        return false
    }

    /// Registers this with its parent, which takes over a reference of the caller. Returns `false`, and does nothing, if the parent has been
    /// disposed.
    @usableFromInline
    final func attachOwned() -> Bool {
        owner.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.members.add(owned: .passUnretained(self), links) }
    }

    /// Removes this from its parent's list: it has terminated. By one thread at a time.
    @usableFromInline
    package final func detach() {
        owner?._withUnsafeGuaranteedRef { $0.members.remove(self, links) }
    }

    override func endWithParent() -> Unmanaged<MemberNode>? {
        tearDown()
        return MemberList.node(links.older)
    }

    final override var older: UInt {
        get { links.older }
        set { links.older = newValue }
    }

    final override var newer: UInt {
        get { links.newer }
        set { links.newer = newValue }
    }
}

/// A disposable that a lifetime disposes.
final class DisposableMember: LifetimeMember, @unchecked Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable, parent: Lifetime) {
        self.disposable = disposable
        super.init(parent: parent)
    }

    override func tearDown() {
        disposable.dispose()
    }
}

/// An action that a lifetime runs when it is disposed.
package final class ActionMember: LifetimeMember, @unchecked Sendable {
    private let action: @Sendable () -> Void

    package init(_ action: @escaping @Sendable () -> Void, parent: Lifetime) {
        self.action = action
        super.init(parent: parent)
    }

    package override func tearDown() {
        action()
    }
}
