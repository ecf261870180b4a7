/// What can be let go of: a subscription, a scheduled action, a resource.
///
/// Source: [ReactiveX, Subscribe](https://reactivex.io/documentation/operators/subscribe.html).
public protocol Disposable: AnyObject, Sendable {
    /// Lets go. Idempotent, callable from any thread; never waits and never queues.
    func dispose()
}
