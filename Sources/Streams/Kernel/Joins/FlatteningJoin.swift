import Schedulers

/// Forwards the elements of its upstreams to one downstream: the base of `MergeJoin` and `SwitchJoin`.
@usableFromInline
class FlatteningJoin<Element: Sendable>: SharedSerializer, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline final let downstream: AnyObserver<Element>

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        super.init(lifetime)
    }

    /// Subscribes to a synchronous upstream, which needs no lifetime of its own, because it has terminated on return.
    ///
    /// Its observer captures the join only, so it is not allocated.
    @inlinable @inline(__always)
    final func forward(synchronous source: Observable<Element>) {
        source.start(
            AnyObserver.receiving { [self] event in
                switch event.take() {
                case .next(let element): serialize(element, with: self) { join, element in join.downstream.onNext(element) }
                case .error(let error): fail(with: error)
                case .completed: break
                }
            }, lifetime)
    }

    /// Handles, in serial order, the error of a closure or of an upstream without a lifetime of its own.
    @usableFromInline
    func fail(with error: any Error) {
        serialize(error, with: self) { join, error in join.downstream.onError(error) }
    }
}

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

    @usableFromInline
    override func memberWasAbandoned() {
        leaveIfAbandoned()
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
