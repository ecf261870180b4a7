import Foundation
import NetNodes

/// The result of one check of an endpoint.
struct Check: Sendable, Equatable {
    let target: WatchTarget
    /// The time at which the check finished.
    let time: Date
    /// The time that the request of this endpoint took, measured by its own transfer.
    let latency: Duration
    let outcome: Outcome
    var phases: Phases?
    var certificateExpiry: Date?
    /// The start of the body of a failure.
    var body: String?
    /// Whether the check was read from a recording or received from another process: then it has no body.
    var isRecorded = false

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

    /// The number of characters of a reason that are kept: it is shown, recorded, published, and passed to an alert's command.
    static let longestReason = 300
}

/// The phases of a request's time, in milliseconds.
struct Phases: Sendable, Equatable {
    var lookup: Double?
    var connect: Double?
    var secure: Double?
    var firstByte: Double?
    var body: Double?
    var isReused = false
}

extension Phases {
    /// Computes the phases. The metrics state the end of each phase; the differences are the durations.
    init(_ metrics: HTTPResponse.Metrics) {
        isReused = metrics.reusedConnection
        var start = Duration.zero
        let next = { (end: Duration?) -> Double? in
            guard let end, end >= start else { return nil }
            defer { start = end }
            return (end - start).milliseconds
        }
        lookup = next(metrics.nameLookup)
        connect = next(metrics.connect)
        secure = next(metrics.secureConnect)
        firstByte = next(metrics.firstByte)
        body = next(metrics.total)
    }

    /// The phases that took place, by name: a connection that is reused has no phase of connecting.
    var named: [(name: String, milliseconds: Double)] {
        let connecting = isReused ? [] : [("lookup", lookup), ("connect", connect), ("TLS", secure)]
        return (connecting + [("first byte", firstByte), ("body", body)]).compactMap { name, value in value.map { (name, $0) } }
    }
}

extension Duration {
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
