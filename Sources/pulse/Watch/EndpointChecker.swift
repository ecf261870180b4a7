import Foundation
import NetNodes

/// Looks at endpoints through the node chain.
struct EndpointChecker: Sendable {
    private let chain: any Node<URL, Void>
    private let indicator = LoadIndicator()

    init(timeout: Duration) {
        fatalError()
    }

    /// Whether an answer is awaited.
    var isLoading: Observable<Bool> { indicator.isLoading }

    /// One look: always one element, and never an error.
    func check(_ endpoint: URL) -> Observable<Check> {
        .deferred {
            let start = ContinuousClock.now
            return answer(of: endpoint).map { outcome in
                Check(endpoint: endpoint, time: Date(), latency: ContinuousClock.now - start, outcome: outcome)
            }
        }
    }
}
