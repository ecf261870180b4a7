import Schedulers

/// The one subscription to upstream that an operator and the streams which it hands out have in common: `groupBy`, `window`.
///
/// It is let go when the operator's own subscription is over and nobody listens to a handed-out stream any more.
@usableFromInline
final class SharedUpstream: Sendable {
    /// Where upstream runs: a lifetime of its own, because a handed-out stream may outlive the operator's subscription.
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let count: RefCountDisposable

    @usableFromInline
    init(for owner: Lifetime) {
        lifetime = Lifetime(scope: owner.scope)
        count = RefCountDisposable(lifetime)
        owner.add(count)
    }

    /// A stream that keeps upstream running while somebody listens to it.
    @inlinable
    func handOut<Element>(_ stream: Observable<Element>) -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            lifetime.add(count.retain())
            stream.start(downstream, lifetime)
        }
    }
}
