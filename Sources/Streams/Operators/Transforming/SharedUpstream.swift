import Schedulers

/// The subscription to upstream shared by an operator and the streams that it emits: `groupBy`, `window`.
///
/// It is disposed when the operator's own subscription and those of all emitted streams are disposed.
@usableFromInline
final class SharedUpstream: Sendable {
    /// The lifetime of upstream. It is separate, because an emitted stream may outlive the operator's subscription.
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let count: RefCountDisposable

    @usableFromInline
    init(for owner: Lifetime) {
        lifetime = Lifetime(scope: owner.scope)
        Probe.connected(lifetime)
        count = RefCountDisposable(lifetime)
        owner.add(count)
    }

    /// Returns a stream that keeps upstream active while it has subscribers.
    @inlinable
    func keptActive<Element>(by stream: Observable<Element>) -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            lifetime.add(count.retain())
            stream.start(downstream, lifetime)
        }
    }
}
