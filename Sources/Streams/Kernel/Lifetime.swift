import Schedulers
import Synchronization

/// What a lifetime tears down when it ends. A node of the lifetime's list, so that registering allocates nothing.
///
/// Subclasses are the things that sources leave behind: an observer in a subject's list, a timer, a child lifetime.
@usableFromInline
package class LifetimeMember: @unchecked Sendable {
    // Law 4: the links are touched only under the parent's lock, and the reference to the parent changes only where nobody else has this.
    /// Owned by hand: read for each event without a reference of its own, and released without recursion.
    @usableFromInline @exclusivity(unchecked) final var owner: Unmanaged<Lifetime>?
    fileprivate final var next: Unmanaged<LifetimeMember>?
    fileprivate final var previous: Unmanaged<LifetimeMember>?
    fileprivate final var isLinked = false
    fileprivate final var isLifetime = false
    /// Whether what belongs to no lifetime was closed.
    @usableFromInline final let isClosed = Atomic<Bool>(false)

    /// Makes a teardown that belongs to `parent`; `attach()` registers it.
    @inlinable
    package init(parent: Lifetime?) {
        owner = parent.map { Unmanaged.passRetained($0) }
    }

    deinit {
        guard let owner else { return }
        // One lifetime after the other, however deep they are nested: none of them releases the next inside its own deinitializer.
        var last: Lifetime? = owner.takeRetainedValue()
        while isKnownUniquelyReferenced(&last) {
            let above = last?.owner?.takeRetainedValue()
            last?.owner = nil
            last = above
        }
    }

    /// The lifetime that this belongs to.
    final var parent: Lifetime? { owner?.takeUnretainedValue() }

    /// Whether the parent lives: whether what this stands for may still be sent.
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

    /// Lets go. Runs once, with no lock held, on the thread that disposes the parent.
    @usableFromInline
    package func tearDown() {}

    /// Registers this with its parent. If the parent has ended, tears down at once and gives false.
    @discardableResult
    @usableFromInline
    package final func attach() -> Bool {
        guard let parent, !parent.link(self) else { return true }
        tearDown()
        return false
    }

    /// Takes this out of its parent's list: it is over by itself.
    @usableFromInline
    package final func detach() {
        parent?.unlink(self)
    }
}

/// The life of one subscription: what is disposed, and what every source looks at before it sends.
///
/// Whoever makes a lifetime disposes it, and nobody else does: the end of a chain, and an operator whose downstream may outlive one of
/// its upstreams, which starts that upstream in a `child()`. Usable from any thread.
@usableFromInline
package class Lifetime: LifetimeMember, Disposable, @unchecked Sendable {
    @usableFromInline final let ended = Atomic<Bool>(false)
    private final let head = Lock<Unmanaged<LifetimeMember>?>(nil)
    private final let mark: Resources.Mark

    /// What the subscription carries along its chain; children inherit it.
    package final let scope: Scope?

    /// Set at most once, and at the root only.
    private final let trace = AtomicLazyReference<TracedPlace>()

    /// Makes a root lifetime.
    @usableFromInline
    package convenience init(scope: Scope? = nil) {
        self.init(parent: nil, scope: scope)
    }

    /// Makes a lifetime that ends with `parent`, or before; `attach()` registers it.
    @usableFromInline
    init(childOf parent: Lifetime) {
        scope = parent.scope
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        isLifetime = true
    }

    private init(parent: Lifetime?, scope: Scope?) {
        self.scope = scope
        mark = Resources.Mark("Lifetime")
        super.init(parent: parent)
        isLifetime = true
    }

    /// Whether it has ended: nothing more is to be sent to its observer.
    @inlinable package final var isDisposed: Bool {
        ended.load(ordering: .relaxed)
    }

    /// Whether `event` may still be emitted: an element if this is not disposed, a terminal event if it is the first that ends this.
    @inlinable @inline(__always)
    package final func admits<Element>(_ event: Event<Element>) -> Bool {
        event.isStopEvent ? end() : !isDisposed
    }

    /// A lifetime that ends with this one, or before. If this one has ended, so has the child.
    @usableFromInline
    package final func child() -> Lifetime {
        let child = Lifetime(parent: self, scope: scope)
        child.attach()
        return child
    }

    /// A child that carries another scope.
    package final func child(scope: Scope) -> Lifetime {
        let child = Lifetime(parent: self, scope: scope)
        child.attach()
        return child
    }

    /// Where the chain of this subscription was built, as its last `trace()` remembers it.
    package final var tracedPlace: TracedPlace? {
        root.trace.load()
    }

    /// Remembers where the chain was built, unless a `trace()` further down has done so.
    final func remember(_ place: TracedPlace) {
        _ = root.trace.storeIfNil(place)
    }

    private final var root: Lifetime {
        var lifetime = self
        while let parent = lifetime.parent { lifetime = parent }
        return lifetime
    }

    /// Registers a disposable, to be disposed when this ends; at once if it has ended.
    @usableFromInline
    package final func add(_ disposable: any Disposable) {
        DisposableMember(disposable, parent: self).attach()
    }

    /// Registers an action, to be run when this ends; at once if it has ended.
    @usableFromInline
    package final func add(_ action: @escaping @Sendable () -> Void) {
        ActionMember(action, parent: self).attach()
    }

    /// Ends it: tears down what is registered, the latest first, each once. Lifetimes may be nested to any depth.
    @usableFromInline
    package final func dispose() {
        _ = end()
    }

    /// Ends it, and says whether it was this call that did: the terminal event and `dispose()` race for it.
    @discardableResult
    @inline(never)
    @usableFromInline
    package final func end() -> Bool {
        guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        detach()
        var node = head.withLock { $0.take() }
        LockProbe.expectNoLock()
        while let current = node {
            let teardown = current.takeRetainedValue()
            node = teardown.next
            guard teardown.isLifetime else {
                teardown.tearDown()
                continue
            }
            // What is nested goes before the rest of the list, so that lifetimes inside lifetimes are a loop and no recursion.
            guard let first = unsafeDowncast(teardown, to: Lifetime.self).takeList() else { continue }
            Self.last(from: first)._withUnsafeGuaranteedRef { $0.next = node }
            node = first
        }
        return true
    }

    /// Ends it and gives what it has to tear down; nil if it has ended, or has nothing.
    private final func takeList() -> Unmanaged<LifetimeMember>? {
        guard !ended.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
        return head.withLock { $0.take() }
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
        head.withLock { head in
            guard !ended.load(ordering: .relaxed) else { return false }
            let node = Unmanaged.passRetained(teardown)
            head?._withUnsafeGuaranteedRef { $0.previous = node }
            teardown.next = head
            teardown.isLinked = true
            head = node
            return true
        }
    }

    fileprivate final func unlink(_ teardown: LifetimeMember) {
        let isOut = head.withLock { head -> Bool in
            // Once the lifetime has ended its list belongs to `end()`, which walks it without the lock.
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

private final class DisposableMember: LifetimeMember, @unchecked Sendable {
    private let disposable: any Disposable

    init(_ disposable: any Disposable, parent: Lifetime) {
        self.disposable = disposable
        super.init(parent: parent)
    }

    override func tearDown() {
        disposable.dispose()
    }
}

private final class ActionMember: LifetimeMember, @unchecked Sendable {
    private let action: @Sendable () -> Void

    init(_ action: @escaping @Sendable () -> Void, parent: Lifetime) {
        self.action = action
        super.init(parent: parent)
    }

    override func tearDown() {
        action()
    }
}
