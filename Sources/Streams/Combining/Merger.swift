import Schedulers

/// The place where several upstreams become one stream: each runs in a child lifetime, and what they send enters one at a time.
///
/// It is the core of `merge`, `flatMap` and their kin. `active` counts the upstreams that have not completed; the outer stream of a
/// `flatMap` is one of them. When none is left, the merged stream completes.
@usableFromInline
final class Merger<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let gate = SerialEntrance()
    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline let lifetime: Lifetime
    /// Law 2: used only inside the gate.
    @exclusivity(unchecked) private var active: Int
    @exclusivity(unchecked) private var firstError: (any Error)?
    private let delayErrors: Bool
    private let mark = Resources.Mark("Merger")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, active: Int, delayErrors: Bool = false) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.active = active
        self.delayErrors = delayErrors
    }

    /// Starts an upstream that is counted already. `finished` runs once it has completed.
    @usableFromInline
    func start(_ source: Observable<Element>, finished: (@Sendable () -> Void)? = nil) {
        let upstream = lifetime.child()
        source.start(
            AnyObserver { [self] event in
                guard !upstream.hasHeardStop else { return }
                guard event.isStopEvent else {
                    guard gate.tryEnter() else { return gate.enqueue { [self] in send(event, of: upstream) } }
                    send(event, of: upstream)
                    return gate.leave()
                }
                upstream.hasHeardStop = true
                stop(with: event, of: upstream)
                if event.isCompleted || delayErrors { finished?() }
            }, upstream)
    }

    /// Counts one upstream more.
    @usableFromInline
    func add() {
        guard gate.tryEnter() else { return gate.enqueue { [self] in active += 1 } }
        active += 1
        gate.leave()
    }

    /// Takes the terminal event of an upstream at its turn, after everything that it sent before.
    @usableFromInline
    func stop(with event: Event<Element>, of upstream: Lifetime? = nil) {
        gate.enqueue { [self] in
            if let upstream, !upstream.end() { return }
            guard !lifetime.isDisposed else { return }
            if case .error(let error) = event {
                guard delayErrors else { return downstream.onError(error) }
                firstError = firstError ?? error
            }
            active -= 1
            guard active == 0 else { return }
            guard let firstError else { return downstream.onCompleted() }
            downstream.onError(firstError)
        }
    }

    @usableFromInline
    func send(_ event: Event<Element>, of upstream: Lifetime) {
        guard !upstream.isDisposed else { return }
        downstream.on(event)
    }
}
