import Schedulers
import Synchronization

/// The members of a lifetime, the latest first, and whether the lifetime has been disposed: one word.
///
/// The word is 0, or 1 after the disposal, or the latest member, which references the one that was registered before it. Adding is one
/// compare-and-swap, and so is removing the only member. The disposal exchanges the word and owns all members from then on. Other members
/// are removed under the lock, where each member is first linked to the one registered after it. Members without that link precede those
/// with it, so each member is visited once for this, however many there are.
@usableFromInline
struct MemberList: ~Copyable, Sendable {
    private static let ended: UInt = 1
    /// The link of a registered member that has not been linked to the one registered after it.
    private static let unknown: UInt = 1

    @usableFromInline let word = Atomic<UInt>(0)
    private let removing = Lock<Void>(())

    @usableFromInline
    init() {}

    /// Whether the lifetime has been disposed.
    @inlinable @inline(__always)
    var isEnded: Bool { word.load(ordering: .relaxed) == 1 }

    /// Whether nothing is registered.
    var isEmpty: Bool { word.load(ordering: .relaxed) <= Self.ended }

    /// Reuses the lifetime, which has been disposed and has no other references.
    @inlinable
    func beginAnew() {
        word.store(0, ordering: .relaxed)
    }

    /// Registers `node`, and retains it. Returns `false`, and does nothing, after the disposal.
    func add(_ node: LifetimeMember) -> Bool {
        let reference = Unmanaged.passRetained(node)
        if add(owned: reference) { return true }
        reference.release()
        return false
    }

    /// Registers a node, which it then owns. Returns `false`, and does nothing, after the disposal.
    func add(owned reference: Unmanaged<LifetimeMember>) -> Bool {
        reference._withUnsafeGuaranteedRef { node in
            node.newer = Self.unknown
            var latest = word.load(ordering: .relaxed)
            while latest != Self.ended {
                node.older = latest
                let outcome = word.weakCompareExchange(
                    expected: latest, desired: Self.word(of: reference), successOrdering: .releasing, failureOrdering: .relaxed)
                if outcome.exchanged { return true }
                latest = outcome.original
            }
            node.newer = 0
            return false
        }
    }

    /// Removes `node`, if it is registered and the lifetime has not been disposed. Called by one thread at a time for one node.
    func remove(_ node: LifetimeMember) {
        guard node.newer != 0 else { return }
        let reference = Unmanaged.passUnretained(node)
        // No member is ever inserted as older than a node: a latest node without an older member is the only one.
        let isOnly = node.older == 0 && replace(reference, by: 0)
        guard isOnly || removing.withLock({ _ in unlink(reference) }) else { return }
        node.newer = 0
        reference.release()
    }

    /// Marks the lifetime as disposed, and returns its members, which the caller owns. Returns `nil` if it had been disposed.
    func end() -> Unmanaged<LifetimeMember>?? {
        let latest = word.exchange(Self.ended, ordering: .acquiringAndReleasing)
        guard latest != Self.ended else { return nil }
        guard let first = Self.node(latest) else { return .some(nil) }
        // A removal among several members finishes first. If one member is left, the removal does not access it any more.
        if first._withUnsafeGuaranteedRef({ $0.older }) != 0 { removing.withLock { _ in } }
        return first
    }

    /// Removes `node` from between its neighbors. This happens under the lock, so that no other of several nodes is removed or ended
    /// meanwhile.
    private func unlink(_ node: Unmanaged<LifetimeMember>) -> Bool {
        repeat {
            guard let latest = Self.node(word.load(ordering: .acquiring)) else { return false }
            guard latest.toOpaque() == node.toOpaque() else {
                learn(from: latest)
                bypass(node)
                return true
            }
            // Then the next one is the latest. From now on other threads may remove it.
            let older = Self.older(node)
            Self.node(older)?._withUnsafeGuaranteedRef { $0.newer = Self.unknown }
            if replace(node, by: older) { return true }
        } while true
    }

    /// Links each member that has no such link yet to the one registered after it.
    private func learn(from latest: Unmanaged<LifetimeMember>) {
        var current = latest
        while let older = Self.node(Self.older(current)) {
            let isKnown = older._withUnsafeGuaranteedRef { node in
                defer { node.newer = Self.word(of: current) }
                return node.newer == Self.word(of: current)
            }
            guard !isKnown else { return }
            current = older
        }
    }

    /// Links the neighbors of `node` with each other. The newer one is changed last: if it has no older member, it is then removed without
    /// the lock.
    private func bypass(_ node: Unmanaged<LifetimeMember>) {
        let older = Self.older(node)
        let newer = node._withUnsafeGuaranteedRef { $0.newer }
        Self.node(older)?._withUnsafeGuaranteedRef { $0.newer = newer }
        Self.node(newer)?._withUnsafeGuaranteedRef { $0.older = older }
    }

    /// Makes `older` the latest member in place of `node`, if that is the latest.
    private func replace(_ node: Unmanaged<LifetimeMember>, by older: UInt) -> Bool {
        word.compareExchange(
            expected: Self.word(of: node), desired: older, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
        )
        .exchanged
    }

    private static func older(_ node: Unmanaged<LifetimeMember>) -> UInt {
        node._withUnsafeGuaranteedRef { $0.older }
    }

    /// Ends the list, and returns its members, followed by `rest`.
    func end(before rest: Unmanaged<LifetimeMember>?) -> Unmanaged<LifetimeMember>? {
        guard let first = end() ?? nil else { return rest }
        var oldest = first
        while let next = Self.node(Self.older(oldest)) { oldest = next }
        oldest._withUnsafeGuaranteedRef { $0.older = rest.map(Self.word(of:)) ?? 0 }
        return first
    }

    private static func word(of node: Unmanaged<LifetimeMember>) -> UInt {
        UInt(bitPattern: node.toOpaque())
    }

    /// The node to which a word refers.
    static func node(_ word: UInt) -> Unmanaged<LifetimeMember>? {
        guard word > ended, let address = UnsafeRawPointer(bitPattern: word) else { return nil }
        return .fromOpaque(address)
    }
}
