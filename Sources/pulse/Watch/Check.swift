import Foundation

/// The result of one health check of an endpoint.
struct Check: Sendable, Equatable {
    let endpoint: URL
    /// The time at which the check finished.
    let time: Date
    let latency: Duration
    let outcome: Outcome

    enum Outcome: Sendable, Equatable {
        case up(status: Int)
        /// `status` is `nil` if there was no response.
        case down(status: Int?, reason: String)
    }

    var isUp: Bool {
        if case .up = outcome { true } else { false }
    }

    var status: Int? {
        switch outcome {
        case .up(let status): status
        case .down(let status, _): status
        }
    }

    var reason: String? {
        if case .down(_, let reason) = outcome { reason } else { nil }
    }
}
