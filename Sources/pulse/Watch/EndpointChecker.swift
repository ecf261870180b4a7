import Foundation
import NetNodes

/// Checks endpoints through a node chain.
struct EndpointChecker: Sendable {
    private let timeout: Duration
    private let indicator = LoadIndicator()

    init(timeout: Duration) {
        self.timeout = timeout
    }

    /// Whether a request is in progress.
    var isLoading: Observable<Bool> { indicator.isLoading.asObservable() }

    /// Checks an endpoint: emits exactly one element and never fails.
    func check(_ endpoint: URL) -> Observable<Check> {
        let answer = URLChain.ofPulse.route(.get, endpoint).timeout(timeout).trackActivity(indicator).discardingBodies().response
        return .deferred {
            let start = ContinuousClock.now
            return answer.stream()
                .map(Self.outcome)
                .catch { .just(.down(status: nil, reason: ErrorWording.short($0))) }
                .map { Check(endpoint: endpoint, time: Date(), latency: ContinuousClock.now - start, outcome: $0) }
        }
    }

    private static func outcome(_ response: HTTPResponse) -> Check.Outcome {
        guard let error = HTTPError(response) else { return .up(status: response.status) }
        return .down(status: response.status, reason: ErrorWording.short(error))
    }
}
