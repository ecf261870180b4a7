import Synchronization

/// The listeners of one context. Not generic, so that releasing it requires no type metadata. Accessed under the context's lock.
@usableFromInline struct ContextListeners {
    /// The kinds, in the order in which they are called.
    @usableFromInline enum Kind: UInt8 {
        case completed, failed, cancelled, deferred
    }

    /// The latest of each kind: properties, because an array would be allocated.
    @usableFromInline var latest: (LifetimeMember?, LifetimeMember?, LifetimeMember?, LifetimeMember?)
    @usableFromInline var others: [LifetimeMember] = []

    @inlinable init() {}

    /// Adds a listener, and returns the one that it replaces.
    @inlinable mutating func add(_ slot: LifetimeMember, _ kind: Kind, keepsAll: Bool) -> LifetimeMember? {
        var before: LifetimeMember? = slot
        switch kind {
        case .completed: swap(&latest.0, &before)
        case .failed: swap(&latest.1, &before)
        case .cancelled: swap(&latest.2, &before)
        case .deferred: swap(&latest.3, &before)
        }
        guard keepsAll, let before else { return before }
        others.append(before)
        return nil
    }

    /// Removes and returns all listeners, to be released outside of the lock.
    mutating func takeAll() -> [LifetimeMember] {
        defer { self = Self() }
        return [latest.0, latest.1, latest.2, latest.3].compactMap { $0 } + others
    }
}

/// A listener: the place of an observer of no lifetime in the core of its context, before all streams and in the order of the kinds.
@usableFromInline final class ContextListener<Model: Sendable>: ReplaySlot<Outcome<Model>?>, @unchecked Sendable {
    // Law 9: stored properties are constants, or atomic.
    private let kind: ContextListeners.Kind
    private let isClosed = Atomic<Bool>(false)

    @usableFromInline init(_ observer: AnyObserver<Outcome<Model>?>, _ kind: ContextListeners.Kind) {
        self.kind = kind
        super.init(observer, core: nil, parent: nil)
    }

    override var isOpen: Bool { !isClosed.load(ordering: .relaxed) }

    /// Ends it: nothing more is sent to it.
    func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    @usableFromInline override func enter(_ list: inout SubscriberList) {
        list.insert(self) { other in ((other as? ContextListener)?.kind.rawValue ?? .max) > kind.rawValue }
    }
}
