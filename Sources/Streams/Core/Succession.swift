import Schedulers

/// Runs upstreams one after the other for one observer: the core of `concat`, `catch`, `retry` and `repeat`.
///
/// At each terminal event it asks what comes next. Each upstream lives in a child lifetime, which ends before the next one starts; a
/// source that ends in place is followed in a loop, not in a deeper call (law 5).
final class Succession<Element: Sendable>: Sendable {
    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    private let turns = SerialEntrance()
    private let mark = Resources.Mark("Succession")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Starts with what `next` gives for `completed`, and goes on with what it gives for each terminal event; nil passes that event on.
    func run(_ next: @escaping @Sendable (Event<Element>) throws -> Observable<Element>?) {
        advance(after: .completed, next)
    }

    func advance(after stop: Event<Element>, _ next: @escaping @Sendable (Event<Element>) throws -> Observable<Element>?) {
        turns.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            let source: Observable<Element>?
            do { source = try next(stop) } catch { return downstream.onError(error) }
            guard let source else { return downstream.on(stop) }
            start(source, next)
        }
    }

    /// Starts `source`, whose end asks `next`.
    func start(_ source: Observable<Element>, _ next: @escaping @Sendable (Event<Element>) throws -> Observable<Element>?) {
        let upstream = lifetime.child()
        source.start(
            AnyObserver { [self] event in
                guard event.isStopEvent else {
                    guard !upstream.isDisposed else { return }
                    return downstream.on(event)
                }
                guard upstream.end() else { return }
                advance(after: event, next)
            }, upstream)
    }
}
