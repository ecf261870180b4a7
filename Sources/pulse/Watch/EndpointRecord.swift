import Foundation
import TerminalViews

/// The recorded checks of one endpoint. It is bounded: only checks of the last ten minutes are kept, and at most 1,200 of them.
struct EndpointRecord: Sendable, Equatable {
    struct Sample: Sendable, Equatable {
        let time: Date
        /// The latency in milliseconds; `nan` for a failure.
        let latency: Double
        /// Whether there was a response, also one that is a failure.
        let isAnswered: Bool
    }

    let target: WatchTarget
    private(set) var last: Check?
    private(set) var checks = 0
    private(set) var failures = 0
    /// The last failures, the newest first, even if the endpoint is up again.
    private(set) var lastFailures: [Check] = []
    /// The time at which the current state began.
    private(set) var since: Date?
    /// The last checks, oldest first.
    private(set) var samples: [Sample] = []
    /// The phases of the last response.
    private(set) var phases: Phases?
    private(set) var certificateExpiry: Date?
    /// The latencies of the samples in ascending order, kept so that a percentile is a simple look-up.
    private var sorted: [Double] = []

    init(target: WatchTarget) {
        self.target = target
    }

    /// Adds a check. O(samples).
    mutating func add(_ check: Check) {
        if last?.isUp != check.isUp { since = check.time }
        last = check
        checks += 1
        phases = check.phases ?? phases
        certificateExpiry = check.certificateExpiry ?? certificateExpiry
        if !check.isUp {
            failures += 1
            lastFailures.insert(check, at: 0)
            if lastFailures.count > Self.keptFailures { lastFailures.removeLast() }
        }
        insert(Sample(time: check.time, latency: check.isUp ? check.latency.milliseconds : .nan, isAnswered: check.status != nil))
    }

    private mutating func insert(_ sample: Sample) {
        // If a clock is ahead, its time would never leave the window.
        while let last = samples.last, last.time > sample.time { forget(samples.removeLast()) }
        samples.append(sample)
        if sample.latency.isFinite { sorted.insert(sample.latency, at: place(of: sample.latency)) }
        let oldest = sample.time.addingTimeInterval(-Self.span)
        let outdated = max(samples.count - Self.keptSamples, samples.firstIndex { $0.time >= oldest } ?? 0)
        let dropped = samples.prefix(max(0, min(outdated, samples.count - Self.fewestSamples)))
        for sample in dropped { forget(sample) }
        samples.removeFirst(dropped.count)
    }

    private mutating func forget(_ sample: Sample) {
        if sample.latency.isFinite { sorted.remove(at: place(of: sample.latency)) }
    }

    /// Returns the first index whose latency is not lower.
    private func place(of latency: Double) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < latency { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The last failure, even if the endpoint is up again.
    var lastFailure: Check? { lastFailures.first }

    /// The percentage of successful checks; `nil` before the first.
    var uptime: Double? {
        checks > 0 ? 100 * Double(checks - failures) / Double(checks) : nil
    }

    /// Returns the latency in milliseconds that this percentage of the kept checks did not exceed; `nil` if there is none.
    func percentile(_ percent: Double) -> Double? {
        guard !sorted.isEmpty else { return nil }
        // Nearest rank: https://en.wikipedia.org/wiki/Percentile
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The latencies of the last minute, or of the last checks if they are rarer; `nan` for failures.
    var lastMinute: Sparkline.Series {
        let start = (samples.last?.time ?? .distantPast).addingTimeInterval(-60)
        // Searched from the end, because ten minutes have many more samples than one.
        let recent = samples.count - (samples.lastIndex { $0.time <= start } ?? -1) - 1
        return Sparkline.Series(samples.suffix(max(recent, Self.fewestSamples)).map(\.latency))
    }

    /// The kept time: ten minutes.
    static let span: TimeInterval = 600
    private static let keptSamples = 1200
    private static let fewestSamples = 30
    private static let keptFailures = 20
}
