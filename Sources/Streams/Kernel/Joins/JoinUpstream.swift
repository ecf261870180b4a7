import Schedulers

/// The lifetime of one upstream of a join, which references the join: an observer that captures nothing else is not allocated.
@usableFromInline
final class JoinUpstream<Join: AnyObject & Sendable>: ChildLifetime, @unchecked Sendable {
    // Law 2: nothing stored changes.
    @usableFromInline let join: Join

    @inlinable
    init(of join: Join, in lifetime: Lifetime) {
        self.join = join
        super.init(of: lifetime)
    }
}
