import Schedulers
import Synchronization

/// The lifetime of one subscription. It is disposed with the subscription, and every source checks it before it emits.
///
/// Only its creator disposes a lifetime: the end of a chain, or an operator whose downstream may outlive one of its upstreams, and which
/// starts that upstream in a `child()`. Thread-safe.
@usableFromInline
@safe package class Lifetime: LifetimeMember, Disposable, @unchecked Sendable {
    /// The properties that only few subscriptions have; the others need one word for all of them.
    private final class Details: Sendable {
        let scope: Scope?
        let tracedPlace = Lock<Hooks.Place?>(nil)

        init(scope: Scope?) {
            self.scope = scope
        }
    }

    @usableFromInline final let members = MemberList()
    /// The gate of the next boundary downstream: this lifetime, or one that it retains. Law 9: written on creation only.
    @usableFromInline @safe @exclusivity(unchecked) final var nearestGate: Unmanaged<Gate>?
    /// The details are retained manually: the generic code of an `AtomicLazyReference` costs more than the rest of a child.
    private final let details: Atomic<Unmanaged<Details>?>
    private final let mark: Resources.Mark
    package final let probed = ProbeSlot()

    /// Creates a root lifetime.
    @usableFromInline
    package init(scope: Scope? = nil) {
        unsafe details = unsafe Atomic(nil)
        mark = Resources.Mark("Lifetime")
        super.init(parent: nil)
        if let scope { _ = storeDetails(Details(scope: scope)) }
    }

    /// Creates the lifetime of an upstream, which is disposed with `parent` or earlier; `attach()` registers it. It inherits the scope.
    @usableFromInline
    init(of parent: borrowing Lifetime) {
        unsafe details = unsafe Atomic(parent.details.load(ordering: .acquiring)?.retain())
        mark = Resources.Mark("Lifetime")
        super.init(parent: copy parent)
        nearestGate = parent.nearestGate
        Probe.created(self, in: parent)
    }

    /// Creates such a lifetime with a scope of its own.
    private init(of parent: Lifetime, scope: Scope) {
        unsafe details = unsafe Atomic(.passRetained(Details(scope: scope)))
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        nearestGate = parent.nearestGate
        Probe.created(self, in: parent)
    }

    deinit {
        Probe.ended(probed)
        unsafe details.load(ordering: .relaxed)?.release()
    }

    @inline(__always)
    private final func loadDetails() -> Details? {
        unsafe details.load(ordering: .acquiring)?.takeUnretainedValue()
    }

    /// Stores the details unless there are some already; returns the stored ones.
    private final func storeDetails(_ new: Details) -> Details {
        let reference = unsafe Unmanaged.passRetained(new)
        let outcome = unsafe details.compareExchange(expected: nil, desired: reference, ordering: .acquiringAndReleasing)
        guard let stored = unsafe outcome.original else { return new }
        unsafe reference.release()
        return unsafe stored.takeUnretainedValue()
    }

    /// The scope that the subscription propagates upstream; children inherit it.
    @usableFromInline
    package final var scope: Scope? { loadDetails()?.scope }

    /// Whether the lifetime has been disposed, so that no event may be emitted to its observer.
    @inlinable package final var isDisposed: Bool {
        members.isEnded
    }

    /// Whether a source may emit an element: it is neither disposed nor suspended. A source that is suspended and not disposed parks
    /// (`ParkedSource`).
    @inlinable @inline(__always)
    package final var mayEmit: Bool { !isDisposed && !isSuspended }

    /// Whether there is a boundary downstream, which may suspend the sources.
    @inlinable @inline(__always)
    final var canBeSuspended: Bool { unsafe nearestGate != nil }

    /// Whether the next boundary downstream suspends its sources.
    @inlinable @inline(__always)
    package final var isSuspended: Bool {
        guard let nearestGate else { return false }
        return unsafe nearestGate._withUnsafeGuaranteedRef { $0.isClosed }
    }

    /// Whether `event` may be emitted: an element if the lifetime is not disposed, and a terminal event if it is the first to dispose the
    /// lifetime.
    @inlinable @inline(__always)
    package final func admit<Element>(_ event: Event<Element>) -> Bool {
        event.isStopEvent ? end() : !isDisposed
    }

    /// Returns a lifetime that is disposed with this one or earlier. If this one has been disposed, so has the child.
    @usableFromInline
    package final func child() -> Lifetime {
        let child = Lifetime(of: self)
        child.attach()
        return child
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
    @usableFromInline
    package final func child(scope: Scope) -> Lifetime {
        let child = Lifetime(of: self, scope: scope)
        child.attach()
        return child
    }

    /// Reuses `spare` if that is the only reference to a disposed lifetime, so that no event of its last upstream can still arrive. Returns
    /// `nil` if there are other references, or the parent has been disposed.
    @inlinable
    static func renew<Child: Lifetime>(_ spare: inout Child?) -> Child? {
        guard isKnownUniquelyReferenced(&spare) else { return nil }
        let isAttached = unsafe Unmanaged.passUnretained(spare.unsafelyUnwrapped)._withUnsafeGuaranteedRef { child in
            child.members.beginAnew()
            return child.attach()
        }
        return isAttached ? spare : nil
    }

    /// The place where the chain of this subscription was built, as its last `trace()` recorded it.
    @usableFromInline
    package final var tracedPlace: Hooks.Place? {
        root.loadDetails()?.tracedPlace.withLock { $0 }
    }

    /// Records the place where the chain was built, unless a `trace()` further downstream has done so.
    @usableFromInline
    final func remember(_ place: Hooks.Place) {
        root.storeDetails(Details(scope: nil)).tracedPlace.withLock { $0 = $0 ?? place }
    }

    private final var root: Lifetime {
        var lifetime = self
        while let parent = lifetime.parent { lifetime = parent }
        return lifetime
    }

    /// Registers a disposable, which is disposed with this lifetime, or immediately if this has been disposed.
    @usableFromInline
    package final func add(_ disposable: any Disposable) {
        // `create` often has nothing to dispose.
        guard disposable !== EmptyDisposable.instance else { return }
        Probe.retained(disposable, by: self)
        DisposableMember(disposable, parent: self).attach()
    }

    /// Registers an action, which is called when this lifetime is disposed, or immediately if it has been.
    @usableFromInline
    package final func add(_ action: @escaping @Sendable () -> Void) {
        ActionMember(action, parent: self).attach()
    }

    /// Disposes the lifetime and all its members, the latest first, each once. Lifetimes may be nested to any depth.
    @inline(never)
    @usableFromInline
    package final func dispose() {
        if !endMembers() { members.noteLateDisposal() }
    }

    /// Ends the lifetime by a terminal event, which may be emitted if this returns `true`: it races with `dispose()`, which wins also if it
    /// is called by a value of the user that is released here (law 4).
    @discardableResult
    @inline(never)
    @usableFromInline
    package final func end() -> Bool {
        endMembers() && !members.wasDisposedLate && isAlive
    }

    @inline(__always)
    private final func endMembers() -> Bool {
        guard let first = unsafe members.end() else { return false }
        Probe.ended(probed)
        leaveGate()
        detach()
        unsafe Self.end(first)
        return true
    }

    /// Leaves the gate downstream, if this lifetime is a gate.
    @inline(__always)
    private final func leaveGate() {
        guard let nearestGate, unsafe nearestGate.toOpaque() == Unmanaged.passUnretained(self).toOpaque() else { return }
        unsafe nearestGate._withUnsafeGuaranteedRef { $0.leave() }
    }

    /// Ends members; each is followed by those that were registered before it.
    @inline(__always)
    private static func end(_ first: Unmanaged<LifetimeMember>?) {
        LockProbe.expectNoLock()
        var node = unsafe first
        while let member = unsafe node?.takeRetainedValue() {
            unsafe node = unsafe member.endWithParent()
        }
    }

    @usableFromInline
    package final override func tearDown() {
        dispose()
    }

    final override func endWithParent() -> Unmanaged<LifetimeMember>? {
        leaveGate()
        defer { Probe.ended(probed) }
        return unsafe members.end(before: older)
    }

    /// Called when a source that it was subscribed to was deallocated without a terminal event.
    @usableFromInline
    package func memberWasAbandoned() {}

    /// Leaves the parent if no source is left: so that does not retain what this, the lifetime of an upstream, retains.
    @usableFromInline
    final func leaveIfAbandoned() {
        guard isEmpty else { return }
        leaveGate()
        detach()
    }

    package final var isRoot: Bool { unsafe owner == nil }

    /// Whether nothing is registered.
    package final var isEmpty: Bool { members.isEmpty }
}
