import Schedulers
import Synchronization

/// The lifetime of one subscription: what is disposed, and what every source checks before it emits.
///
/// A lifetime is disposed by its creator only: the end of a chain, or an operator whose downstream may outlive one of its upstreams, which
/// starts that upstream in a `child()`. Thread-safe.
@usableFromInline
package class Lifetime: MemberNode, Disposable, @unchecked Sendable {
    /// What few subscriptions have, so that the others need one word for all of it.
    private final class Details: Sendable {
        let scope: Scope?
        let tracedPlace = AtomicLazyReference<TracedPlace>()

        init(scope: Scope?) {
            self.scope = scope
        }
    }

    @usableFromInline final let members = MemberList()
    private final let details = AtomicLazyReference<Details>()
    private final let mark: Resources.Mark

    /// Creates a root lifetime.
    @usableFromInline
    package init(scope: Scope? = nil) {
        mark = Resources.Mark("Lifetime")
        super.init()
        if let scope { _ = details.storeIfNil(Details(scope: scope)) }
    }

    fileprivate init(inheriting parent: Lifetime) {
        mark = Resources.Mark("Lifetime")
        super.init()
        if let inherited = parent.details.load() { _ = details.storeIfNil(inherited) }
    }

    /// The lifetime that it is disposed with; a root has none.
    var parent: Lifetime? { nil }

    /// Takes the reference to the parent out.
    fileprivate func takeParent() -> Lifetime? { nil }

    /// Removes this from its parent's list.
    fileprivate func detach() {}

    /// Releases `owner`, and one after the other the lifetimes above that nothing else references: however deeply they are nested, none
    /// releases the next inside its own deinitializer.
    static func release(_ owner: Unmanaged<Lifetime>?) {
        var last = owner?.takeRetainedValue()
        while isKnownUniquelyReferenced(&last) {
            let above = last?.takeParent()
            last = above
        }
    }

    /// The scope that the subscription propagates upstream; children inherit it.
    package final var scope: Scope? { details.load()?.scope }

    /// Whether it has been disposed: no event may be emitted to its observer.
    @inlinable package final var isDisposed: Bool {
        members.isEnded
    }

    /// Whether `event` may be emitted: an element if this is not disposed, a terminal event if it is the first that disposes this.
    @inlinable @inline(__always)
    package final func admits<Element>(_ event: Event<Element>) -> Bool {
        event.isStopEvent ? end() : !isDisposed
    }

    /// Returns a lifetime that is disposed with this one, or before. If this has been disposed, so has the child.
    @usableFromInline
    package final func child() -> Lifetime {
        let child = ChildLifetime(of: self)
        child.attach()
        return child
    }

    /// Returns a child with another scope.
    package final func child(scope: Scope) -> Lifetime {
        let child = ChildLifetime(of: self, scope: scope)
        child.attach()
        return child
    }

    /// The place where the chain of this subscription was built, as recorded by its last `trace()`.
    package final var tracedPlace: TracedPlace? {
        root.details.load()?.tracedPlace.load()
    }

    /// Records where the chain was built, unless a `trace()` further downstream has done so.
    final func remember(_ place: TracedPlace) {
        _ = root.details.storeIfNil(Details(scope: nil)).tracedPlace.storeIfNil(place)
    }

    private final var root: Lifetime {
        var lifetime = self
        while let parent = lifetime.parent { lifetime = parent }
        return lifetime
    }

    /// Registers a disposable, to be disposed with this; immediately if this has been disposed.
    @usableFromInline
    package final func add(_ disposable: any Disposable) {
        // `create` is often given nothing to dispose.
        guard disposable !== EmptyDisposable.instance else { return }
        DisposableMember(disposable, parent: self).attach()
    }

    /// Registers an action, to be called when this is disposed; immediately if it has been.
    @usableFromInline
    package final func add(_ action: @escaping @Sendable () -> Void) {
        ActionMember(action, parent: self).attach()
    }

    /// Disposes it and all its members, the latest first, each once. Lifetimes may be nested to any depth.
    @usableFromInline
    package final func dispose() {
        _ = end()
    }

    /// Disposes it, and returns whether this call did so: the terminal event and `dispose()` race for it.
    @discardableResult
    @inline(never)
    @usableFromInline
    package final func end() -> Bool {
        guard let first = members.end() else { return false }
        detach()
        Self.end(first)
        return true
    }

    /// Disposes one that is registered with no other.
    @inline(never)
    @usableFromInline
    final func disposeUnregistered() {
        if let first = members.end() { Self.end(first) }
    }

    /// Ends members, each followed by those that were registered before.
    @inline(__always)
    private static func end(_ first: Unmanaged<MemberNode>?) {
        LockProbe.expectNoLock()
        var node = first
        while let member = node?.takeRetainedValue() {
            node = member.endWithParent()
        }
    }

    /// Called when a source that it was subscribed to was deallocated without a terminal event.
    @usableFromInline
    package func memberWasAbandoned() {}

    /// Whether nothing is registered.
    package final var isEmpty: Bool { members.isEmpty }
}

/// A lifetime that is disposed with another, or before: that of an upstream.
@usableFromInline
package class ChildLifetime: Lifetime, @unchecked Sendable {
    // Law 4: the reference to the parent changes only while nothing else references this.
    /// Retained manually, to be released without recursion.
    @exclusivity(unchecked) private final var owner: Unmanaged<Lifetime>?
    private final let links = MemberLinks()

    /// Creates a lifetime that is disposed with `parent`, or before; `attach()` registers it.
    @usableFromInline
    init(of parent: Lifetime) {
        owner = .passRetained(parent)
        super.init(inheriting: parent)
    }

    /// Creates one with another scope.
    init(of parent: Lifetime, scope: Scope) {
        owner = .passRetained(parent)
        super.init(scope: scope)
    }

    deinit {
        Lifetime.release(owner)
    }

    final override var parent: Lifetime? { owner?.takeUnretainedValue() }

    fileprivate final override func takeParent() -> Lifetime? {
        defer { owner = nil }
        return owner?.takeRetainedValue()
    }

    /// Registers this with its parent. If the parent has been disposed, so is this, and the result is `false`.
    @discardableResult
    @usableFromInline
    final func attach() -> Bool {
        guard let owner, !owner._withUnsafeGuaranteedRef({ $0.members.add(self, links) }) else { return true }
        dispose()
        return false
    }

    fileprivate final override func detach() {
        owner?._withUnsafeGuaranteedRef { $0.members.remove(self, links) }
    }

    /// Begins `spare` anew if that is the only reference to a disposed lifetime: nobody can take one life for the other then. Returns `nil`
    /// if there are others, or the parent has been disposed.
    @inlinable
    static func renew<Child: ChildLifetime>(_ spare: inout Child?) -> Child? {
        guard isKnownUniquelyReferenced(&spare) else { return nil }
        let isAttached = Unmanaged.passUnretained(spare.unsafelyUnwrapped)._withUnsafeGuaranteedRef { child in
            child.members.beginAnew()
            return child.attach()
        }
        return isAttached ? spare : nil
    }

    final override func endWithParent() -> Unmanaged<MemberNode>? {
        members.end(before: MemberList.node(links.older))
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
