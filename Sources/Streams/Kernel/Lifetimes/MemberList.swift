import Schedulers
import Synchronization

/// The members of a lifetime, linked in the order of their registration, and whether the lifetime has been disposed.
///
/// The list retains its members. Disposing the lifetime takes all of them: after that nobody else changes their links.
@usableFromInline
struct MemberList: ~Copyable, Sendable {
    @usableFromInline typealias Node = Unmanaged<LifetimeMember>

    /// Changes under the lock; the sources read it for each event.
    @usableFromInline let ended = Atomic(false)
    /// The member that was registered last. Law 3: under the lock nothing is released.
    private let latest = Lock<Node?>(nil)

    @usableFromInline
    init() {}

    /// Whether the lifetime has been disposed.
    @inlinable @inline(__always)
    var isEnded: Bool { ended.load(ordering: .relaxed) }

    /// Whether nothing is registered.
    var isEmpty: Bool { latest.withLock { $0 == nil } }

    /// Reuses the lifetime, which has been disposed and has no other references.
    @inlinable
    func beginAnew() {
        ended.store(false, ordering: .relaxed)
    }

    /// Registers a node, which the list then owns. Returns `false`, and does nothing, after the disposal.
    func add(owned node: Node) -> Bool {
        latest.withLock { latest in
            guard !isEnded else { return false }
            node._withUnsafeGuaranteedRef { $0.older = latest }
            latest?._withUnsafeGuaranteedRef { $0.newer = node }
            latest = node
            return true
        }
    }

    /// Removes `member`, if it is registered and the lifetime has not been disposed.
    func remove(_ member: LifetimeMember) {
        let node = Node.passUnretained(member)
        let wasRegistered = latest.withLock { latest in
            let isLatest = latest?.toOpaque() == node.toOpaque()
            guard !isEnded, isLatest || member.newer != nil else { return false }
            member.older?._withUnsafeGuaranteedRef { $0.newer = member.newer }
            if isLatest { latest = member.older } else { member.newer?._withUnsafeGuaranteedRef { $0.older = member.older } }
            (member.older, member.newer) = (nil, nil)
            return true
        }
        if wasRegistered { node.release() }
    }

    /// Marks the lifetime as disposed, and returns its latest member, which the caller owns like all before it. Returns `nil` if it had
    /// been disposed.
    func end() -> Node?? {
        latest.withLock { latest in
            ended.exchange(true, ordering: .acquiringAndReleasing) ? nil : .some(latest.take())
        }
    }

    /// Ends the list, and returns its members, followed by `rest`.
    func end(before rest: Node?) -> Node? {
        guard let first = end() ?? nil else { return rest }
        var oldest = first
        while let next = oldest._withUnsafeGuaranteedRef({ $0.older }) { oldest = next }
        oldest._withUnsafeGuaranteedRef { $0.older = rest }
        return first
    }
}
