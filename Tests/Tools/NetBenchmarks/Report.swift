import Foundation

enum Report {
    static func table(_ figures: [Figures]) -> String {
        let heading = "| client | at once | requests a second | CPU a request, us |\n|---|---|---|---|\n"
        return heading
            + figures.map { one in
                "| \(one.client) | \(one.atOnce) | \(Int(one.perSecond.rounded())) | \(one.microsecondsOfCPU.formatted) |\n"
            }.joined()
    }

    static func table(_ calls: [SystemCalls]) -> String {
        "| client | system calls a request |\n|---|---|\n"
            + calls.map { "| \($0.client) | \($0.perRequest.formatted) |\n" }.joined()
    }

    static func table(_ beside: SmallBesideLarge) -> String {
        """
        | beside a download | requests | middle, ms | 99 of 100, ms | longest, ms | download, MB/s |
        |---|---|---|---|---|---|
        | chain | \(beside.count) | \(beside.middle.formatted) | \(beside.slowest.formatted) | \(beside.longest.formatted) \
        | \(Int(beside.megabytesPerSecond)) |

        """
    }
}

/// The targets of the chain, relative to the others in the same run.
struct Bounds {
    private struct Bound {
        let name: String
        let value: Double
        let limit: Double
        let isUpper: Bool

        var isReached: Bool { isUpper ? value <= limit : value >= limit }
    }

    private let bounds: [Bound]

    init(_ figures: [Figures], _ beside: SmallBesideLarge?, _ calls: [SystemCalls]) {
        func find(_ client: String, _ atOnce: Int) -> Figures? { figures.first { $0.client.contains(client) && $0.atOnce == atOnce } }
        var bounds: [Bound] = []
        for atOnce in [1, 64] {
            guard let chain = find("chain", atOnce), let session = find("URLSession", atOnce), let curl = find("libcurl", atOnce) else {
                continue
            }
            bounds += [
                Bound(
                    name: "\(atOnce) at once: times URLSession's rate", value: chain.perSecond / session.perSecond, limit: 5, isUpper: false
                ),
                Bound(
                    name: "\(atOnce) at once: part of URLSession's CPU", value: chain.microsecondsOfCPU / session.microsecondsOfCPU,
                    limit: 0.25, isUpper: true),
                // One request at a time wakes a thread for each step, which bare libcurl does on the caller's.
                Bound(
                    name: "\(atOnce) at once: times bare libcurl's CPU", value: chain.microsecondsOfCPU / curl.microsecondsOfCPU,
                    limit: atOnce == 1 ? 4 : 2.5, isUpper: true),
            ]
        }
        if let one = find("chain", 1), let many = find("chain", 64) {
            bounds.append(
                Bound(name: "64 at once: times the rate of 1 at once", value: many.perSecond / one.perSecond, limit: 1, isUpper: false))
        }
        if let one = find("loops: 1", 64), let two = find("loops: 2", 64) {
            bounds.append(
                Bound(
                    name: "64 at once: two loops, times the rate of one", value: two.perSecond / one.perSecond, limit: 1.3,
                    isUpper: false))
        }
        if let beside {
            bounds += [
                Bound(name: "beside a download: ms of 99 requests of 100", value: beside.slowest, limit: 1.5, isUpper: true),
                Bound(name: "beside a download: ms of the longest request", value: beside.longest, limit: 20, isUpper: true),
            ]
        }
        bounds += calls.map { calls in
            Bound(
                name: "\(calls.client): system calls a request", value: calls.perRequest, limit: calls.client == "await" ? 13 : 9,
                isUpper: true)
        }
        self.bounds = bounds
    }

    var areReached: Bool { bounds.allSatisfy(\.isReached) }

    var text: String {
        "| bound | reached | limit | |\n|---|---|---|---|\n"
            + bounds.map { bound in
                "| \(bound.name) | \(bound.value.formatted) | \(bound.isUpper ? "<=" : ">=") \(bound.limit.formatted) "
                    + "| \(bound.isReached ? "ok" : "MISSED") |\n"
            }.joined()
    }
}

extension Double {
    fileprivate var formatted: String { String(format: self < 10 ? "%.2f" : "%.1f", self) }
}
