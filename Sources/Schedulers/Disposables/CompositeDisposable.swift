/// A set of disposables that are disposed together, in insertion order.
///
/// A disposable inserted after the disposal is disposed immediately. Inserting and removing are O(1). Sets may be nested to any depth.
public final class CompositeDisposable: DisposableGroup {
    /// Identifies an inserted disposable, so that it can be removed.
    public struct Key: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct State {
        var members: [Int: any Disposable]? = [:]
        var next = 0
    }

    private let state = Lock(State())
    private let mark = Resources.Mark("CompositeDisposable")

    /// Creates a set of `disposables`.
    public init(_ disposables: [any Disposable] = []) {
        for disposable in disposables {
            insert(disposable)
        }
    }

    /// Whether the set has been disposed.
    public var isDisposed: Bool {
        state.withLock { $0.members == nil }
    }

    /// The number of disposables in the set.
    public var count: Int {
        state.withLock { $0.members?.count ?? 0 }
    }

    /// Adds `disposable`.
    ///
    /// - Returns: the key by which you remove it, or `nil` if the set has been disposed; then `disposable` is disposed as well.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> Key? {
        let key = state.withLock { state -> Key? in
            guard state.members != nil else { return nil }
            defer { state.next += 1 }
            state.members?[state.next] = disposable
            return Key(number: state.next)
        }
        if key == nil { disposable.dispose() }
        return key
    }

    /// Removes and disposes the disposable of `key`. A key that has been removed already has no effect.
    public func remove(for key: Key) {
        state.withLock { $0.members?.removeValue(forKey: key.number) }?.dispose()
    }

    public func dispose() {
        Disposables.dispose(takeMembers())
    }

    func takeMembers() -> [any Disposable] {
        let members = state.withLock { $0.members.take() }
        return members?.sorted { $0.key < $1.key }.map(\.value) ?? []
    }
}

/// A disposable that contains others. Its members are taken and disposed from outside, so nested groups are disposed by a loop and not by
/// recursion.
protocol DisposableGroup: Disposable {
    /// Marks the group as disposed and returns its members in the order of their disposal.
    func takeMembers() -> [any Disposable]
}

extension Disposables {
    /// Disposes `members` in order, however deeply they are nested.
    static func dispose(_ members: [any Disposable]) {
        for member in members {
            guard let group = group(member) else {
                member.dispose()
                continue
            }
            var waiting = [any Disposable](group.takeMembers().reversed())
            while let next = waiting.popLast() {
                guard let group = Self.group(next) else {
                    next.dispose()
                    continue
                }
                waiting.append(contentsOf: group.takeMembers().reversed())
            }
        }
    }

    /// Returns `disposable` as a group. Casting to final classes costs a comparison; casting to the protocol costs a search.
    private static func group(_ disposable: any Disposable) -> (any DisposableGroup)? {
        if let group = disposable as? CompositeDisposable { return group }
        if let group = disposable as? SerialDisposable { return group }
        if let group = disposable as? SingleAssignmentDisposable { return group }
        return disposable as? RefCountDisposable
    }
}
