import Foundation

extension TokenRefresherNode {
    /// The reason why a token could not be refreshed.
    public enum Failure: Error, Equatable, Sendable {
        /// The refresh completed without a token.
        case refreshYieldedNothing
        /// The refresh exceeded its time limit.
        case refreshTimedOut(after: Duration)
        /// The refresh subscribes to an operation that waits for the same refresh.
        case refreshWaitsForItself
    }
}

extension TokenRefresherNode.Failure: LocalizedError, CustomStringConvertible {
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

/// Refreshes a token once for all operations that need it; they wait meanwhile.
///
/// All chains of a service share one. A refresh that has started runs until it terminates, and its token is stored, even if all waiting
/// operations are disposed, because a server may accept a refresh token only once. Thread-safe.
public final class TokenRefresherNode: Node {
    /// The number of refreshes that have ended. Each attempt remembers this number at its start.
    @usableFromInline typealias Generation = Int

    @TaskLocal private static var refreshing: TokenRefresherNode?

    private struct State {
        /// The number of refreshes that have ended.
        var ended: Generation = 0
        /// The number of the refresh that led to the current token.
        var renewed: Generation = 0
        /// The last refresh that failed.
        var failure: (number: Generation, error: any Error)?
        /// The result of the running refresh.
        var running: AsyncSubject<Generation>?
    }

    private let state = Lock(State())
    private let refresh: Observable<Void>

    /// - Parameters:
    ///   - chain: requests the new token. It must not contain ``ObservableType/refreshing(with:when:)`` with this refresher.
    ///   - timeout: the time limit of a refresh.
    ///   - scheduler: the scheduler that measures the time limit.
    ///   - store: stores the new token where the operations read it. If it throws, the refresh fails with that error.
    public init<Token: Sendable>(
        chain: any Node<Void, Token>, timeout: Duration = .seconds(30),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated), store: @escaping @Sendable (Token) throws -> Void
    ) {
        let late = Observable<Token>.error(Failure.refreshTimedOut(after: timeout))
        let nothing = Observable<Void>.error(Failure.refreshYieldedNothing)
        refresh = chain.stream().timeout(timeout, other: late, scheduler: scheduler).map(store).take(1).ifEmpty(switchTo: nothing)
    }

    /// Starts a refresh, or waits for the current one, and emits one element when there is a new token.
    public func stream(_ input: Void) -> Observable<Void> {
        .deferred { [self] in renewed(after: state.withLock { $0.ended }).map { _ in () } }
    }

    /// Emits the current generation as soon as no refresh runs.
    @usableFromInline
    func settled() -> Observable<Generation> {
        .deferred { [self] in
            guard Self.refreshing !== self else { throw Failure.refreshWaitsForItself }
            return state.withLock { $0.running?.asObservable() ?? .just($0.ended) }
        }
    }

    /// Emits a later generation: immediately if there is a newer token, otherwise when a refresh has completed. Fails with the error of
    /// that refresh, or of one that has failed since.
    @usableFromInline
    func renewed(after generation: Generation) -> Observable<Generation> {
        .deferred { [self] in
            let (result, begins) = join(generation)
            if begins { begin() }
            return result
        }
    }

    /// Returns the stream to wait for, and whether the caller has to start the refresh.
    private func join(_ generation: Generation) -> (Observable<Generation>, begins: Bool) {
        let fresh = AsyncSubject<Generation>()
        return state.withLock { state in
            if let running = state.running { return (running.asObservable(), false) }
            if state.renewed > generation { return (.just(state.renewed), false) }
            if let failure = state.failure, failure.number > generation { return (.error(failure.error), false) }
            state.running = fresh
            return (fresh.asObservable(), true)
        }
    }

    private func begin() {
        Self.$refreshing.withValue(self) {
            _ = refresh.subscribe(onNext: { [self] in end(nil) }, onError: { [self] error in end(error) })
        }
    }

    /// Records the end of the running refresh, and reports it to the operations that wait for it.
    private func end(_ error: (any Error)?) {
        // The last error is passed out of the lock, because it is a value of the user (law 3).
        let (waiting, generation, _) = state.withLock { state in
            let last = state.failure?.error
            state.ended += 1
            if let error { state.failure = (state.ended, error) } else { state.renewed = state.ended }
            return (state.running.take(), state.ended, last)
        }
        guard let waiting else { return }
        if let error { return waiting.onError(error) }
        waiting.onNext(generation)
        waiting.onCompleted()
    }
}
