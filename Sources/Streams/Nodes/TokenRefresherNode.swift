import Foundation

/// Why a token could not be refreshed.
public enum AccessError: Error, Equatable, Sendable {
    /// The refresh ended without a token.
    case refreshYieldedNothing
    /// The refresh did not end in time.
    case refreshTimedOut(after: Duration)
    /// The refresh subscribes to something that waits for this very refresh.
    case refreshWaitsForItself
}

extension AccessError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .refreshYieldedNothing: "Refreshing the access token ended without a token."
        case .refreshTimedOut(let limit): "Refreshing the access token took longer than \(limit.forPeople)."
        case .refreshWaitsForItself:
            "Refreshing the access token waits for itself: refresh it with an operation that needs no access."
        }
    }

    public var errorDescription: String? { description }
}

/// Gets a new token, once for all operations that need it, and lets them wait meanwhile.
///
/// Shared by the chains of one service. A refresh that was started runs to its end and its token is kept, also when all who waited for
/// it are disposed, because a server may accept a refresh token only once. Usable from any thread.
public final class TokenRefresherNode: Node {
    /// The token's age: how often it was refreshed. Each attempt remembers the one that it was sent with.
    typealias Generation = Int

    @TaskLocal private static var refreshing: TokenRefresherNode?

    private enum State {
        case idle(Generation)
        case refreshing(Generation, AsyncSubject<Generation>)
    }

    private let state = Lock(State.idle(0))
    private let refresh: Observable<Void>

    /// - Parameters:
    ///   - chain: gets the new token. It must not go through an ``AccessSafeNode`` of this refresher.
    ///   - timeout: how long a refresh may take.
    ///   - scheduler: where that is timed.
    ///   - store: keeps the new token where the operations find it. A throw is the refresh's error.
    public init<Token: Sendable>(
        chain: any Node<Void, Token>, timeout: Duration = .seconds(30),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated), store: @escaping @Sendable (Token) throws -> Void
    ) {
        refresh = chain.stream().timeout(
            timeout, other: Observable.error(AccessError.refreshTimedOut(after: timeout)), scheduler: scheduler
        )
        .map { token in try store(token) }
    }

    /// Refreshes, or waits for the refresh that is running, and sends one element when there is a new token.
    public func stream(_ input: Void) -> Observable<Void> {
        .deferred { [self] in renewed(after: currentGeneration).map { _ in () } }
    }

    /// The current generation, as soon as no refresh runs.
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

    /// A generation after this one: at once if there is one already, otherwise when a refresh has ended.
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

    /// What to wait for, and whether the caller has to begin the refresh.
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
            let isDone = BooleanDisposable()
            _ = refresh.take(1).subscribe(
                onNext: { [self] in
                    isDone.dispose()
                    end(.success(generation + 1), generation + 1)
                },
                onError: { [self] error in if !isDone.isDisposed { end(.failure(error), generation) } },
                onCompleted: { [self] in if !isDone.isDisposed { end(.failure(AccessError.refreshYieldedNothing), generation) } })
        }
    }

    private func end(_ result: Result<Generation, any Error>, _ generation: Generation) {
        let waiting = state.withLock { state -> AsyncSubject<Generation>? in
            guard case .refreshing(_, let subject) = state else { return nil }
            state = .idle(generation)
            return subject
        }
        switch result {
        case .success(let generation):
            waiting?.onNext(generation)
            waiting?.onCompleted()
        case .failure(let error): waiting?.onError(error)
        }
    }
}
