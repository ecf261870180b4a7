/// A disposable that holds others; disposed from outside, so that groups inside groups are a loop and no recursion.
protocol DisposableGroup: Disposable {
    /// Marks it as disposed and gives what it held, in the order in which that is to be disposed.
    func takeMembers() -> [any Disposable]
}

extension Disposables {
    /// Disposes `members` in their order, however deep they are nested.
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

    /// `disposable` as a group. Casts to final classes, which cost a comparison; one to the protocol costs a search.
    private static func group(_ disposable: any Disposable) -> (any DisposableGroup)? {
        if let group = disposable as? CompositeDisposable { return group }
        if let group = disposable as? SerialDisposable { return group }
        if let group = disposable as? SingleAssignmentDisposable { return group }
        return disposable as? RefCountDisposable
    }
}
