/// A disposable that contains others. Its members are taken and disposed from outside, so that nested groups are a loop rather than a
/// recursion.
protocol DisposableGroup: Disposable {
    /// Marks the group as disposed and returns its members in the order in which they are to be disposed.
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
