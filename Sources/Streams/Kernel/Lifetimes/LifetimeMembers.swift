import Schedulers
import Synchronization

/// A resource that a lifetime disposes. To register it allocates nothing.
///
/// Subclasses represent the resources of a subscription: an observer in a subject's list, a timer, a disposable of the user, the lifetime
/// of an upstream.
@usableFromInline
@safe package class LifetimeMember: @unchecked Sendable {
    // Law 3: the list changes the links of its members; the reference to the parent changes only while nothing else references this.
    /// The parent is retained manually, so that reading it for each event requires no retain, and releasing it no recursion.
    @usableFromInline @safe @exclusivity(unchecked) final var owner: Unmanaged<Lifetime>?
    /// The members that were registered before and after this one.
    @safe @exclusivity(unchecked) final var older: Unmanaged<LifetimeMember>?
    @safe @exclusivity(unchecked) final var newer: Unmanaged<LifetimeMember>?

    /// Creates a member of `parent`; `attach()` registers it. A root lifetime has no parent.
    @usableFromInline
    package init(parent: borrowing Lifetime?) {
        // The parent is borrowed, here and in the subclasses that are created most often: each initializer that owned it would retain it
        // once more.
        if let parent = copy parent { owner = unsafe Unmanaged.passRetained(parent) }
    }

    deinit {
        if let owner { unsafe Self.release(owner) }
    }

    /// Whether the parent is active, so that events may be emitted.
    @inlinable @inline(__always)
    package final var isAlive: Bool {
        // Retaining the parent for each event would cost as much as the event.
        guard let owner else { return true }
        return unsafe !owner._withUnsafeGuaranteedRef { $0.isDisposed }
    }

    /// The lifetime to which the member belongs.
    final var parent: Lifetime? { unsafe owner?.takeUnretainedValue() }

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
        let node = unsafe Unmanaged.passRetained(self)
        if unsafe owner._withUnsafeGuaranteedRef({ unsafe $0.members.add(owned: node) }) { return true }
        unsafe node.release()
        tearDown()
        return false
    }

    /// Registers this with its parent, which takes over a reference of the caller. Returns `false`, and does nothing, if the parent has
    /// been disposed.
    @usableFromInline
    final func attachOwned() -> Bool {
        unsafe owner.unsafelyUnwrapped._withUnsafeGuaranteedRef { unsafe $0.members.add(owned: .passUnretained(self)) }
    }

    /// Removes this from its parent's list, because it has terminated. Called by one thread at a time.
    @usableFromInline
    package final func detach() {
        unsafe owner?._withUnsafeGuaranteedRef { $0.members.remove(self) }
    }

    /// Releases `owner`, and then each parent that nothing else references, one after the other. None releases the next inside its own
    /// deinitializer, however deeply they are nested.
    private static func release(_ owner: Unmanaged<Lifetime>) {
        var last: Lifetime? = unsafe owner.takeRetainedValue()
        while isKnownUniquelyReferenced(&last) {
            let above = unsafe last?.owner.take()?.takeRetainedValue()
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

/// The pending action of a sequence, which a lifetime disposes. It retains nothing of its owner.
@usableFromInline
package final class PlannedMember: LifetimeMember, @unchecked Sendable {
    @usableFromInline package let planned = PlannedAction()

    /// Creates the member, and registers it.
    @usableFromInline
    package init(in lifetime: Lifetime) {
        super.init(parent: lifetime)
        attach()
    }

    @usableFromInline
    package override func tearDown() {
        planned.dispose()
    }
}

/// The members of a lifetime, linked in the order of their registration, and whether the lifetime has been disposed.
///
/// The list retains its members. Disposing the lifetime takes all of them: after that nobody else changes their links.
@usableFromInline
@safe struct MemberList: ~Copyable, Sendable {
    @usableFromInline typealias Node = Unmanaged<LifetimeMember>

    /// Changes under the lock; the sources read it for each event.
    @usableFromInline let ended = Atomic(false)
    /// Whether `dispose()` was called after the end.
    @usableFromInline let disposedLate = Atomic(false)
    /// The member that was registered last. Law 3: under the lock nothing is released.
    private let latest = unsafe Lock<Node?>(nil)

    @usableFromInline
    init() {}

    /// Whether the lifetime has been disposed.
    @inlinable @inline(__always)
    var isEnded: Bool { ended.load(ordering: .relaxed) }

    /// Whether nothing is registered.
    var isEmpty: Bool { unsafe latest.withLock { unsafe $0 == nil } }

    /// Reuses the lifetime, which has been disposed and has no other references.
    @inlinable
    func beginAnew() {
        ended.store(false, ordering: .relaxed)
        disposedLate.store(false, ordering: .relaxed)
    }

    /// Registers a node, which the list then owns. Returns `false`, and does nothing, after the disposal.
    func add(owned node: Node) -> Bool {
        unsafe latest.withLock { latest in
            guard !isEnded else { return false }
            unsafe node._withUnsafeGuaranteedRef { $0.older = unsafe latest }
            unsafe latest?._withUnsafeGuaranteedRef { $0.newer = unsafe node }
            unsafe latest = unsafe node
            return true
        }
    }

    /// Removes `member`, if it is registered and the lifetime has not been disposed.
    func remove(_ member: LifetimeMember) {
        let node = unsafe Node.passUnretained(member)
        let wasRegistered = unsafe latest.withLock { latest in
            let isLatest = unsafe latest?.toOpaque() == node.toOpaque()
            guard !isEnded, unsafe isLatest || member.newer != nil else { return false }
            unsafe member.older?._withUnsafeGuaranteedRef { $0.newer = member.newer }
            if isLatest { unsafe latest = member.older } else { unsafe member.newer?._withUnsafeGuaranteedRef { $0.older = member.older } }
            (member.older, member.newer) = (nil, nil)
            return true
        }
        if wasRegistered { unsafe node.release() }
    }

    /// Marks the lifetime as disposed, and returns its latest member, which the caller owns like all before it. Returns `nil` if it had
    /// been disposed.
    func end() -> Node?? {
        unsafe latest.withLock { latest in
            guard !isEnded else { return nil }
            ended.store(true, ordering: .releasing)
            return unsafe .some(latest.take())
        }
    }

    /// Whether `dispose()` was called after the lifetime had ended.
    var wasDisposedLate: Bool { disposedLate.load(ordering: .relaxed) }

    /// Notes that `dispose()` was called after the lifetime had ended.
    func noteLateDisposal() {
        disposedLate.store(true, ordering: .relaxed)
    }

    /// Ends the list, and returns its members, followed by `rest`.
    func end(before rest: Node?) -> Node? {
        guard let first = unsafe end() ?? nil else { return unsafe rest }
        var oldest = unsafe first
        while let next = unsafe oldest._withUnsafeGuaranteedRef({ $0.older }) { unsafe oldest = unsafe next }
        unsafe oldest._withUnsafeGuaranteedRef { $0.older = unsafe rest }
        return unsafe first
    }
}
