import Schedulers
import Synchronization

/// The lifetime of one subscription: what is disposed, and what every source checks before it emits.
///
/// A lifetime is disposed by its creator only: the end of a chain, or an operator whose downstream may outlive one of its upstreams, which
/// starts that upstream in a `child()`. Thread-safe.
@usableFromInline
package class Lifetime: LifetimeMember, Disposable, @unchecked Sendable {
    /// What few subscriptions have, so that the others need one word for all of it.
    private final class Details: Sendable {
        let scope: Scope?
        let tracedPlace = AtomicLazyReference<TracedPlace>()

        init(scope: Scope?) {
            self.scope = scope
        }
    }

    @usableFromInline final let members = MemberList()
    /// The gate of the next boundary downstream: this, or a lifetime that this retains. Law 9: written on creation only.
    @usableFromInline @exclusivity(unchecked) final var nearestGate: Unmanaged<Gate>?
    /// Retained manually: the generic code of an `AtomicLazyReference` costs more than the rest of a child.
    private final let details: Atomic<Unmanaged<Details>?>
    private final let mark: Resources.Mark
    package final let probed = ProbeSlot()

    /// Creates a root lifetime.
    @usableFromInline
    package init(scope: Scope? = nil) {
        details = Atomic(nil)
        mark = Resources.Mark("Lifetime")
        super.init(parent: nil)
        if let scope { _ = storeDetails(Details(scope: scope)) }
    }

    /// Creates the lifetime of an upstream, which is disposed with `parent`, or before; `attach()` registers it. It inherits the scope.
    @usableFromInline
    init(of parent: borrowing Lifetime) {
        details = Atomic(parent.details.load(ordering: .acquiring)?.retain())
        mark = Resources.Mark("Lifetime")
        super.init(parent: copy parent)
        nearestGate = parent.nearestGate
        Probe.created(self, in: parent)
    }

    /// Creates such a lifetime with a scope of its own.
    private init(of parent: Lifetime, scope: Scope) {
        details = Atomic(.passRetained(Details(scope: scope)))
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        nearestGate = parent.nearestGate
        Probe.created(self, in: parent)
    }

    deinit {
        Probe.ended(probed)
        details.load(ordering: .relaxed)?.release()
    }

    @inline(__always)
    private final func loadDetails() -> Details? {
        details.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Stores the details unless there are some; returns those that are stored.
    private final func storeDetails(_ new: Details) -> Details {
        let reference = Unmanaged.passRetained(new)
        let outcome = details.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
        guard let stored = outcome.original else { return new }
        reference.release()
        return stored.takeUnretainedValue()
    }

    /// The scope that the subscription propagates upstream; children inherit it.
    package final var scope: Scope? { loadDetails()?.scope }

    /// Whether it has been disposed: no event may be emitted to its observer.
    @inlinable package final var isDisposed: Bool {
        members.isEnded
    }

    /// Whether a source may emit an element: it is neither disposed nor suspended. A source that may not, and is not disposed, parks
    /// (`ParkedSource`).
    @inlinable @inline(__always)
    package final var mayEmit: Bool { !isDisposed && !isSuspended }

    /// Whether the next boundary downstream suspends its sources.
    @inlinable @inline(__always)
    package final var isSuspended: Bool {
        guard let nearestGate else { return false }
        return nearestGate._withUnsafeGuaranteedRef { $0.isClosed }
    }

    /// Whether `event` may be emitted: an element if this is not disposed, a terminal event if it is the first that disposes this.
    @inlinable @inline(__always)
    package final func admits<Element>(_ event: Event<Element>) -> Bool {
        event.isStopEvent ? end() : !isDisposed
    }

    /// Returns a lifetime that is disposed with this one, or before. If this has been disposed, so has the child.
    @usableFromInline
    package final func child() -> Lifetime {
        let child = Lifetime(of: self)
        child.attach()
        return child
    }

    /// Returns the lifetime of upstreams that a boundary suspends: a child whose sources ask its own gate. Unless the boundary keeps what
    /// arrives while downstream is suspended, its upstreams are suspended then, too.
    @usableFromInline
    package final func gatedChild(followsDownstream follows: Bool = true) -> Gate {
        let child = Gate(of: self, follows: follows)
        child.attach()
        return child
    }

    /// Returns such a lifetime whose sources resume on `scheduler`, if there is one.
    package final func gatedChild(resumingOn scheduler: (any Scheduler)?) -> Gate {
        let child = Gate(of: self, resumingOn: scheduler.map { Gate.ResumingScheduler($0) }, follows: true)
        child.attach()
        return child
    }

    /// Returns the lifetime of an upstream that resumes on `scheduler`: this, if its only source did so on another one, so that a loop
    /// through `subscribe(on:)` adds no lifetime in each round.
    final func resuming(on scheduler: any Scheduler) -> Lifetime {
        if let gate = self as? Gate, gate.changes(to: scheduler) { return gate }
        return gatedChild(resumingOn: scheduler)
    }

    /// Returns the lifetime of an upstream that is not suspended with the operator: of what opens or terminates it.
    @usableFromInline
    package final func independentChild() -> Lifetime {
        let child = Lifetime(of: self)
        child.nearestGate = nil
        child.attach()
        return child
    }

    /// Returns a child with another scope.
    package final func child(scope: Scope) -> Lifetime {
        let child = Lifetime(of: self, scope: scope)
        child.attach()
        return child
    }

    /// Begins `spare` anew if that is the only reference to a disposed lifetime, so that no event of its last upstream can still arrive.
    /// Returns `nil` if there are others, or the parent has been disposed.
    @inlinable
    static func renew<Child: Lifetime>(_ spare: inout Child?) -> Child? {
        guard isKnownUniquelyReferenced(&spare) else { return nil }
        let isAttached = Unmanaged.passUnretained(spare.unsafelyUnwrapped)._withUnsafeGuaranteedRef { child in
            child.members.beginAnew()
            return child.attach()
        }
        return isAttached ? spare : nil
    }

    /// The place where the chain of this subscription was built, as recorded by its last `trace()`.
    package final var tracedPlace: TracedPlace? {
        root.loadDetails()?.tracedPlace.load()
    }

    /// Records where the chain was built, unless a `trace()` further downstream has done so.
    final func remember(_ place: TracedPlace) {
        _ = root.storeDetails(Details(scope: nil)).tracedPlace.storeIfNil(place)
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
        Probe.retained(disposable, by: self)
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
        Probe.ended(probed)
        leaveGate()
        detach()
        Self.end(first)
        return true
    }

    /// Leaves the gate downstream, if this is a gate.
    @inline(__always)
    private final func leaveGate() {
        guard let nearestGate, nearestGate.toOpaque() == Unmanaged.passUnretained(self).toOpaque() else { return }
        nearestGate._withUnsafeGuaranteedRef { $0.leave() }
    }

    /// Ends members, each followed by those that were registered before.
    @inline(__always)
    private static func end(_ first: Unmanaged<LifetimeMember>?) {
        LockProbe.expectNoLock()
        var node = first
        while let member = node?.takeRetainedValue() {
            node = member.endWithParent()
        }
    }

    @usableFromInline
    package final override func tearDown() {
        dispose()
    }

    final override func endWithParent() -> Unmanaged<LifetimeMember>? {
        leaveGate()
        defer { Probe.ended(probed) }
        return members.end(before: MemberList.node(older))
    }

    /// Called when a source that it was subscribed to was deallocated without a terminal event.
    @usableFromInline
    package func memberWasAbandoned() {}

    package final var isRoot: Bool { owner == nil }

    /// The gate that suspends its sources by itself; `nil` if they are not suspended.
    package final var closedGate: Gate? {
        guard isSuspended else { return nil }
        return nearestGate?.takeUnretainedValue().closedDownstream
    }

    /// Whether nothing is registered.
    package final var isEmpty: Bool { members.isEmpty }
}
