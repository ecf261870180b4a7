import Schedulers

/// What follows an upstream that has ended.
enum Following<Element: Sendable> {
    /// Another, whose end is asked about too.
    case next(Observable<Element>)
    /// Another, which takes the place of all: whatever it sends is passed on.
    case last(Observable<Element>)
}

/// Runs upstreams one after the other for one observer: the core of `concat`, `catch`, `retry` and `repeat`.
///
/// At each terminal event it asks what comes next. Each upstream but the last lives in a child lifetime, which ends before the next one
/// starts; a source that ends synchronously is followed in a loop, not in a deeper call (law 5).
final class SequenceSubscriber<Element: Sendable>: Sendable {
    typealias Next = @Sendable (Event<Element>) throws -> Following<Element>?

    private let downstream: AnyObserver<Element>
    private let lifetime: Lifetime
    private let turns = Serializer()
    private let mark = Resources.Mark("SequenceSubscriber")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Starts with what `next` gives for `completed`, and goes on with what it gives for each terminal event; nil passes that event on.
    func run(_ next: @escaping Next) {
        advance(after: .completed, next)
    }

    func advance(after stop: Event<Element>, _ next: @escaping Next) {
        turns.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            let following: Following<Element>?
            do { following = try next(stop) } catch { return downstream.onError(error) }
            switch following {
            case .next(let source): start(source, next)
            case .last(let source): source.startLast(downstream, lifetime)
            case nil: downstream.on(stop)
            }
        }
    }

    /// Starts `source`, whose end asks `next`.
    func start(_ source: Observable<Element>, _ next: @escaping Next) {
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
