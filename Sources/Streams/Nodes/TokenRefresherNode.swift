import Foundation

/// The reason why a token could not be refreshed.
public enum AccessError: Error, Equatable, Sendable {
    /// The refresh completed without a token.
    case refreshYieldedNothing
    /// The refresh exceeded its time limit.
    case refreshTimedOut(after: Duration)
    /// The refresh subscribes to an operation that waits for the same refresh.
    case refreshWaitsForItself
}

extension AccessError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .refreshYieldedNothing: "Refreshing the access token ended without a token."
        case .refreshTimedOut(let limit): "Refreshing the access token took longer than \(limit.displayText)."
        case .refreshWaitsForItself:
            "Refreshing the access token waits for itself: refresh it with an operation that needs no access."
        }
    }

    public var errorDescription: String? { description }
}

/// Refreshes a token, once for all operations that need it, which wait meanwhile.
///
/// Share one among the chains of a service. A refresh that has started runs until it terminates, and its token is stored, even if all
/// waiting operations are disposed, because a server may accept a refresh token only once. Thread-safe.
public final class TokenRefresherNode: Node {
    /// How often the token was refreshed. Each attempt remembers the generation of its token.
    typealias Generation = Int

    @TaskLocal private static var refreshing: TokenRefresherNode?

    private enum State {
        case idle(Generation)
        case refreshing(Generation, AsyncSubject<Generation>)
    }

    private let state = Lock(State.idle(0))
    private let refresh: Observable<Void>

    /// - Parameters:
    ///   - chain: requests the new token. It must not contain an ``AccessSafeNode`` of this refresher.
    ///   - timeout: the time limit of a refresh.
    ///   - scheduler: measures that time.
    ///   - store: stores the new token where the operations read it. If it throws, the refresh fails with that error.
    public init<Token: Sendable>(
        chain: any Node<Void, Token>, timeout: Duration = .seconds(30),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated), store: @escaping @Sendable (Token) throws -> Void
    ) {
        let late = Observable<Token>.error(AccessError.refreshTimedOut(after: timeout))
        let nothing = Observable<Void>.error(AccessError.refreshYieldedNothing)
        refresh = chain.stream().timeout(timeout, other: late, scheduler: scheduler).map(store).take(1).ifEmpty(switchTo: nothing)
    }

    /// Starts a refresh, or waits for the current one, and emits one element when there is a new token.
    public func stream(_ input: Void) -> Observable<Void> {
        .deferred { [self] in renewed(after: currentGeneration).map { _ in () } }
    }

    /// Emits the current generation as soon as no refresh runs.
    func settled() -> Observable<Generation> {
        .deferred { [self] in
            guard Self.refreshing !== self else { throw AccessError.refreshWaitsForItself }
            return state.withLock { state in
                switch state {
                case .idle(let generation): .just(generation)
                case .refreshing(_, let result): result.asObservable()
                }
            }
        }
    }

    /// Emits a later generation: immediately if there is one, otherwise when a refresh has completed.
    func renewed(after generation: Generation) -> Observable<Generation> {
        .deferred { [self] in
            let (result, begins) = join(generation)
            if begins { begin(after: generation) }
            return result
        }
    }

    private var currentGeneration: Generation {
        state.withLock { state in
            switch state {
            case .idle(let generation), .refreshing(let generation, _): generation
            }
        }
    }

    /// Returns what to wait for, and whether the caller has to start the refresh.
    private func join(_ generation: Generation) -> (Observable<Generation>, begins: Bool) {
        let fresh = AsyncSubject<Generation>()
        return state.withLock { state in
            switch state {
            case .idle(let current) where current > generation: return (.just(current), false)
            case .idle(let current):
                state = .refreshing(current, fresh)
                return (fresh.asObservable(), true)
            case .refreshing(_, let result): return (result.asObservable(), false)
            }
        }
    }

    private func begin(after generation: Generation) {
        Self.$refreshing.withValue(self) {
            _ = refresh.subscribe(
                onNext: { [self] in end(generation + 1) { $0.onNext(generation + 1) } },
                onError: { [self] error in end(generation) { $0.onError(error) } })
        }
    }

    private func end(_ generation: Generation, _ tell: (AsyncSubject<Generation>) -> Void) {
        let waiting = state.withLock { state -> AsyncSubject<Generation>? in
            guard case .refreshing(_, let subject) = state else { return nil }
            state = .idle(generation)
            return subject
        }
        guard let waiting else { return }
        tell(waiting)
        waiting.onCompleted()
    }
}
