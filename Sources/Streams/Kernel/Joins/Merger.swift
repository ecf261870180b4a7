import Schedulers

/// The place where several upstreams become one stream: each runs in a child lifetime, and what they send enters one at a time.
///
/// It is the core of `merge`, `flatMap` and their kin. `active` counts the upstreams that have not completed; the outer stream of a
/// `flatMap` is one of them. When none is left, the merged stream completes.
@usableFromInline
final class Merger<Element: Sendable>: @unchecked Sendable {
    @usableFromInline let gate = Serializer()
    @usableFromInline let downstream: AnyObserver<Element>
    @usableFromInline let lifetime: Lifetime
    /// Law 2: used only inside the gate.
    @usableFromInline @exclusivity(unchecked) var active: Int
    @usableFromInline @exclusivity(unchecked) var firstError: (any Error)?
    @usableFromInline let delayErrors: Bool
    private let mark = Resources.Mark("Merger")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime, active: Int, delayErrors: Bool = false) {
        self.downstream = downstream
        self.lifetime = lifetime
        self.active = active
        self.delayErrors = delayErrors
    }

    /// Starts an upstream that is counted already. `finished` runs once it has completed.
    @inlinable
    func start(_ source: Observable<Element>, finished: (@Sendable () -> Void)? = nil) {
        let upstream = lifetime.child()
        guard !upstream.isDisposed else { return }
        source.start(
            AnyObserver { [self] event in
                guard !upstream.isTerminated else { return }
                guard event.isStopEvent else {
                    guard gate.tryEnter() else { return gate.enqueue { [self] in send(event, in: upstream) } }
                    send(event, in: upstream)
                    return gate.leave()
                }
                upstream.isTerminated = true
                let isOver = event.isCompleted || delayErrors
                stop(with: event, of: upstream)
                if isOver { finished?() }
            }, upstream)
    }

    /// Starts an upstream that is not counted. One that sends in place needs no lifetime of its own and is over when this returns.
    @inlinable
    func run(_ source: Observable<Element>) {
        guard source.isSynchronous else {
            add()
            return start(source)
        }
        source.start(
            AnyObserver { [self] event in
                switch consume event {
                case .next(let element):
                    guard gate.tryEnter() else { return gate.enqueue { [self] in send(.next(element), in: lifetime) } }
                    send(.next(element), in: lifetime)
                    gate.leave()
                case .error(let error): fail(error)
                case .completed: break
                }
            }, lifetime)
    }

    /// Counts one upstream more.
    @inlinable
    func add() {
        guard gate.tryEnter() else { return gate.enqueue { [self] in active += 1 } }
        active += 1
        gate.leave()
    }

    /// Takes the terminal event of a counted upstream at its turn, after everything that it sent before.
    @inlinable
    func stop(with event: Event<Element>, of upstream: Lifetime) {
        guard gate.tryEnter() else { return gate.enqueue { [self] in take(event, of: upstream) } }
        take(event, of: upstream)
        gate.leave()
    }

    /// The terminal event of a counted upstream. Inside the gate only.
    @inlinable
    func take(_ event: Event<Element>, of upstream: Lifetime) {
        guard upstream.end(), !lifetime.isDisposed else { return }
        if case .error(let error) = event, !keeps(error) { return }
        leave()
    }

    /// Takes an error that ends no counted upstream.
    @usableFromInline
    func fail(_ error: any Error) {
        gate.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            _ = keeps(error)
        }
    }

    /// Counts one upstream less, which was never started.
    @usableFromInline
    func remove() {
        gate.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            leave()
        }
    }

    /// Takes the error of a counted upstream that could not even start.
    @usableFromInline
    func failToStart(_ error: any Error) {
        gate.enqueue { [self] in
            guard !lifetime.isDisposed, keeps(error) else { return }
            leave()
        }
    }

    @inlinable
    func send(_ event: consuming Event<Element>, in upstream: Lifetime) {
        guard !upstream.isDisposed else { return }
        downstream.on(consume event)
    }

    /// Keeps an error for the end if errors wait; sends it, and gives false, if not. Inside the gate only.
    @usableFromInline
    func keeps(_ error: any Error) -> Bool {
        guard delayErrors else {
            downstream.onError(error)
            return false
        }
        firstError = firstError ?? error
        return true
    }

    /// Counts one upstream less. Inside the gate only.
    @inlinable
    func leave() {
        active -= 1
        guard active == 0 else { return }
        guard let firstError else { return downstream.onCompleted() }
        downstream.onError(firstError)
    }
}
