import Schedulers
import Synchronization

/// A resource that a lifetime disposes. A node of the lifetime's list, so that registering allocates nothing.
///
/// Subclasses represent what a subscription leaves behind: an observer in a subject's list, a timer, a child lifetime.
@usableFromInline
package class LifetimeMember: @unchecked Sendable {
    // Law 4: the links are accessed only under the parent's lock, and the reference to the parent changes only while nothing else
    // references this.
    /// Retained manually: read for each event without a retain, and released without recursion.
    @usableFromInline @exclusivity(unchecked) final var owner: Unmanaged<Lifetime>?
    fileprivate final var next: Unmanaged<LifetimeMember>?
    fileprivate final var previous: Unmanaged<LifetimeMember>?
    fileprivate final var isLinked = false
    /// Whether a lifetime was disposed, or a member of no lifetime was closed.
    @usableFromInline final let isEnded = Atomic<Bool>(false)

    /// Whether this is a lifetime, whose members are disposed in the loop that disposes those of its parent.
    fileprivate var isLifetime: Bool { false }

    /// Creates a member of `parent`; `attach()` registers it.
    @inlinable
    package init(parent: Lifetime?) {
        owner = parent.map { Unmanaged.passRetained($0) }
    }

    deinit {
        guard let owner else { return }
        // One lifetime after the other, however deeply they are nested: none of them releases the next inside its own deinitializer.
        var last: Lifetime? = owner.takeRetainedValue()
        while isKnownUniquelyReferenced(&last) {
            let above = last?.owner?.takeRetainedValue()
            last?.owner = nil
            last = above
        }
    }

    /// The lifetime that it belongs to.
    final var parent: Lifetime? { owner?.takeUnretainedValue() }

    /// Whether the parent is active, so that events may be emitted.
    @inlinable @inline(__always)
    package final var isAlive: Bool {
        // Retaining the parent for each event would cost as much as the event.
        guard let owner else { return !isEnded.load(ordering: .relaxed) }
        return !owner._withUnsafeGuaranteedRef { $0.isDisposed }
    }

    /// Ends what belongs to no lifetime: nothing more may be sent.
    final func close() {
        isEnded.store(true, ordering: .relaxed)
    }

    /// Performs the disposal. Runs once, with no lock held, on the thread that disposes the parent.
    @usableFromInline
    package func tearDown() {}

    /// Registers this with its parent. If the parent has been disposed, releases the resource immediately and returns `false`.
    @discardableResult
    @usableFromInline
    package final func attach() -> Bool {
        guard let owner, !owner._withUnsafeGuaranteedRef({ $0.link(self) }) else { return true }
        tearDown()
        return false
    }

    /// Removes this from its parent's list: it has terminated.
    @usableFromInline
    package final func detach() {
        owner?._withUnsafeGuaranteedRef { $0.unlink(self) }
    }
}

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

    private final let lock = Lock<Void>(())
    /// The members, the latest first. Law 4: accessed only under the lock.
    @exclusivity(unchecked) private final var head: Unmanaged<LifetimeMember>?
    private final let details = AtomicLazyReference<Details>()
    private final let mark: Resources.Mark

    /// Creates a root lifetime.
    @usableFromInline
    package convenience init(scope: Scope? = nil) {
        self.init(parent: nil, scope: scope)
    }

    /// Creates a lifetime that is disposed with `parent`, or before; `attach()` registers it.
    @usableFromInline
    init(childOf parent: Lifetime) {
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        if let inherited = parent.details.load() { _ = details.storeIfNil(inherited) }
    }

    @usableFromInline
    init(parent: Lifetime?, scope: Scope?) {
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        if let scope { _ = details.storeIfNil(Details(scope: scope)) }
    }

    fileprivate final override var isLifetime: Bool { true }

    /// The scope that the subscription propagates upstream; children inherit it.
    package final var scope: Scope? { details.load()?.scope }

    /// Whether it has been disposed: no event may be emitted to its observer.
    @inlinable package final var isDisposed: Bool {
        isEnded.load(ordering: .relaxed)
    }

    /// Whether `event` may be emitted: an element if this is not disposed, a terminal event if it is the first that disposes this.
    @inlinable @inline(__always)
    package final func admits<Element>(_ event: Event<Element>) -> Bool {
        event.isStopEvent ? end() : !isDisposed
    }

    /// Returns a lifetime that is disposed with this one, or before. If this has been disposed, so has the child.
    @usableFromInline
    package final func child() -> Lifetime {
        let child = Lifetime(childOf: self)
        child.attach()
        return child
    }

    /// Begins `spare` anew if that is the only reference to a disposed lifetime: nobody can take one life for the other then.
    @inlinable
    static func renew<Child: Lifetime>(_ spare: inout Child?) -> Child? {
        guard isKnownUniquelyReferenced(&spare), let child = spare else { return nil }
        child.isEnded.store(false, ordering: .relaxed)
        child.attach()
        return child
    }

    /// Returns a child with another scope.
    package final func child(scope: Scope) -> Lifetime {
        let child = Lifetime(parent: self, scope: scope)
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
        guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        detach()
        var node = lock.withLock { _ in head.take() }
        LockProbe.expectNoLock()
        while let current = node {
            let teardown = current.takeRetainedValue()
            node = teardown.next
            guard teardown.isLifetime else {
                teardown.tearDown()
                continue
            }
            // Nested members precede the rest of the list, so that nested lifetimes are a loop rather than a recursion.
            guard let first = unsafeDowncast(teardown, to: Lifetime.self).endWithParent() else { continue }
            Self.last(from: first)._withUnsafeGuaranteedRef { $0.next = node }
            node = first
        }
        return true
    }

    /// Called when its parent has disposed it.
    @usableFromInline
    package func parentDidDispose() {}

    /// Called when a source that it was subscribed to was deallocated without a terminal event.
    @usableFromInline
    package func memberWasAbandoned() {}

    /// Whether nothing is registered.
    package final var isEmpty: Bool { lock.withLock { _ in head == nil } }

    /// Marks it as disposed and returns its members; `nil` if it has been disposed, or has none.
    private final func endWithParent() -> Unmanaged<LifetimeMember>? {
        guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        parentDidDispose()
        return lock.withLock { _ in head.take() }
    }

    private static func last(from first: Unmanaged<LifetimeMember>) -> Unmanaged<LifetimeMember> {
        var last = first
        while let next = last._withUnsafeGuaranteedRef({ $0.next }) { last = next }
        return last
    }

    @usableFromInline
    package final override func tearDown() {
        dispose()
    }

    fileprivate final func link(_ teardown: LifetimeMember) -> Bool {
        lock.withLock { _ in
            guard !isDisposed else { return false }
            let node = Unmanaged.passRetained(teardown)
            head?._withUnsafeGuaranteedRef { $0.previous = node }
            teardown.next = head
            teardown.previous = nil
            teardown.isLinked = true
            head = node
            return true
        }
    }

    fileprivate final func unlink(_ teardown: LifetimeMember) {
        let isOut = lock.withLock { _ -> Bool in
            // Once the lifetime has been disposed its list belongs to `end()`, which iterates without the lock.
            guard teardown.isLinked, head != nil else { return false }
            teardown.isLinked = false
            teardown.next?._withUnsafeGuaranteedRef { $0.previous = teardown.previous }
            guard let previous = teardown.previous else {
                head = teardown.next
                return true
            }
            previous._withUnsafeGuaranteedRef { $0.next = teardown.next }
            return true
        }
        if isOut { Unmanaged.passUnretained(teardown).release() }
    }
}
