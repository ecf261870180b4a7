import Schedulers

/// The lifetime of one upstream of a join, which references the join: an observer that captures nothing else is not allocated.
@usableFromInline
final class JoinUpstream<Join: AnyObject & Sendable>: Lifetime, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline let join: Join

    @inlinable
    init(of join: Join, in lifetime: borrowing Lifetime) {
        self.join = join
        super.init(of: lifetime)
    }

    /// Returns the lifetime of the next upstream: `spare`, the lifetime of the previous one, if nothing else references it any more.
    @inlinable
    static func begin(for join: Join, in lifetime: Lifetime, reusing spare: inout JoinUpstream?) -> JoinUpstream {
        if let upstream = renew(&spare) { return upstream }
        let upstream = JoinUpstream(of: join, in: lifetime)
        upstream.attach()
        spare = upstream
        return upstream
    }
}
