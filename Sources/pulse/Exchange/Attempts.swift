import Foundation
import NetNodes

/// The attempts of one request: `--retry`.
struct Attempts: Sendable {
    /// The number of attempts after the first.
    let retries: Int
    let method: HTTPMethod
    /// Whether the response can be received again from its start: nothing of it was printed.
    let canStartAnew: @Sendable () -> Bool
    /// Receives a line about each further attempt.
    let report: @Sendable (String) -> Void
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

    /// Repeats the transfer after a transient failure: of the connection, or a status such as 503. The response to the last attempt is
    /// delivered whatever its status.
    func repeating(_ transfer: Observable<TransferEvent>) -> Observable<TransferEvent> {
        guard retries > 0 else { return transfer }
        let failures = Lock(0)
        let attempt = transfer.map { event in
            if case .head(let head) = event, failures.withLock({ $0 < retries }), let error = HTTPError(HTTPResponse(head: head)),
                isRetried(error)
            {
                throw error
            }
            return event
        }
        let noted = attempt.do(onError: { error in
            let count = failures.withLock { count in
                count += 1
                return count
            }
            guard count <= retries, isRetried(error) else { return }
            report("\(ErrorWording.sentence(error)); attempt \(count + 1) of \(retries + 1)")
        })
        var policy = RetryPolicy.transient(maxAttempts: retries + 1, initial: .seconds(1), cap: .seconds(60), jitter: 0.2, limit: nil)
        policy.shouldRetry = { isRetried($0) }
        return noted.retry(policy, scheduler: scheduler)
    }

    /// A method that changes something is repeated only if nothing can have reached the server.
    private func isRetried(_ error: any Error) -> Bool {
        guard canStartAnew(), RetryPolicy.isTransient(error) else { return false }
        switch error {
        case TechnicalError.cantConnectToHost, TechnicalError.cantFindHost, TechnicalError.noInternetConnection: return true
        default: return [.get, .head, .put, .delete, HTTPMethod(rawValue: "OPTIONS")].contains(method)
        }
    }
}
