import Schedulers
import Synchronization

/// A resource that a lifetime disposes. To register it allocates nothing.
///
/// Subclasses represent the resources of a subscription: an observer in a subject's list, a timer, a disposable of the user, the lifetime
/// of an upstream.
@usableFromInline
package class LifetimeMember: @unchecked Sendable {
    // Law 3: the list changes the links of its members; the reference to the parent changes only while nothing else references this.
    /// The parent is retained manually, so that reading it for each event requires no retain, and releasing it no recursion.
    @usableFromInline @exclusivity(unchecked) final var owner: Unmanaged<Lifetime>?
    /// The members that were registered before and after this one.
    @exclusivity(unchecked) final var older: Unmanaged<LifetimeMember>?
    @exclusivity(unchecked) final var newer: Unmanaged<LifetimeMember>?

    /// Creates a member of `parent`; `attach()` registers it. A root lifetime has no parent.
    @usableFromInline
    package init(parent: borrowing Lifetime?) {
        // The parent is borrowed, here and in the subclasses that are created most often: each initializer that owned it would retain it
        // once more.
        if let parent = copy parent { owner = Unmanaged.passRetained(parent) }
    }

    deinit {
        if let owner { Self.release(owner) }
    }

    /// Whether the parent is active, so that events may be emitted.
    @inlinable @inline(__always)
    package final var isAlive: Bool {
        // Retaining the parent for each event would cost as much as the event.
        guard let owner else { return true }
        return !owner._withUnsafeGuaranteedRef { $0.isDisposed }
    }

    /// The lifetime to which the member belongs.
    final var parent: Lifetime? { owner?.takeUnretainedValue() }

    /// Performs the disposal. Runs once, with no lock held, on the thread that disposes the parent.
    @usableFromInline
    package func tearDown() {}

    /// Disposes the resource, like `tearDown()`. Returns the member to end next: the one that was registered before this, preceded by the
    /// members of a nested lifetime. So lifetimes are ended in a loop, however deeply they are nested.
    func endWithParent() -> Unmanaged<LifetimeMember>? {
        tearDown()
        return older
    }

    /// Registers this with its parent. If the parent has been disposed, disposes this immediately and returns `false`.
    @discardableResult
    @usableFromInline
    package final func attach() -> Bool {
        guard let owner else { return true }
        let node = Unmanaged.passRetained(self)
        if owner._withUnsafeGuaranteedRef({ $0.members.add(owned: node) }) { return true }
        node.release()
        tearDown()
        return false
    }

    /// Registers this with its parent, which takes over a reference of the caller. Returns `false`, and does nothing, if the parent has
    /// been disposed.
    @usableFromInline
    final func attachOwned() -> Bool {
        owner.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.members.add(owned: .passUnretained(self)) }
    }

    /// Removes this from its parent's list, because it has terminated. Called by one thread at a time.
    @usableFromInline
    package final func detach() {
        owner?._withUnsafeGuaranteedRef { $0.members.remove(self) }
    }

    /// Releases `owner`, and then each parent that nothing else references, one after the other. None releases the next inside its own
    /// deinitializer, however deeply they are nested.
    private static func release(_ owner: Unmanaged<Lifetime>) {
        var last: Lifetime? = owner.takeRetainedValue()
        while isKnownUniquelyReferenced(&last) {
            let above = last?.owner.take()?.takeRetainedValue()
            last = above
        }
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
