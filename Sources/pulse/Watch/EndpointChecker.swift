import Foundation
import NetNodes

/// Checks endpoints through a node chain.
struct EndpointChecker: Sendable {
    private let scheduler: any Scheduler
    private let indicator = LoadIndicator()

    /// Creates a checker; `scheduler` runs the delays between repetitions.
    init(scheduler: any Scheduler) {
        self.scheduler = scheduler
    }

    /// Whether a request is in progress. The stream is not on the main queue, which would be woken twice for each check.
    var isLoading: Observable<Bool> { indicator.count.map { $0 > 0 }.distinctUntilChanged() }

    /// Checks an endpoint: emits exactly one element for each subscription and never fails.
    func checks(of target: WatchTarget) -> Observable<Check> {
        let responses = responses(of: target)
        let once = Observable<Check>.deferred {
            let start = ContinuousClock.now
            return
                responses
                .map { Check($0, of: target, after: ContinuousClock.now - start) }
                .catch { .just(Check(failed: $0, of: target, after: ContinuousClock.now - start)) }
        }
        return repeating(once, left: target.retries)
    }

    /// Repeats a failed check after a pause, as often as is left; only the last result counts.
    private func repeating(_ once: Observable<Check>, left: Int) -> Observable<Check> {
        guard left > 0 else { return once }
        let again = Observable<Int>.timer(Self.pause, scheduler: scheduler).flatMap { _ in repeating(once, left: left - 1) }
        return once.flatMap { $0.isUp ? .just($0) : again }
    }

    private func responses(of target: WatchTarget) -> Observable<HTTPResponse> {
        var chain = URLChain.ofPulse.route(target.method, target.url).headers(target.headers)
            .timeout(target.timeout)
            .showingQuery(of: target.shownQuery)
            .trackActivity(indicator)
        // A body that nobody reads takes no memory, so that only the timeout limits it.
        chain = target.requirement.readsBody ? chain.maximumBodySize(Self.longestBody) : chain.discardingBodies()
        if target.requirement.acceptsRedirects { chain = chain.redirects(.deliver) }
        guard let body = target.body else { return chain.response.stream() }
        return chain.input(Data.self).response.stream(Data(body.utf8))
    }

    private static let pause = Duration.milliseconds(250)
    /// The largest body that is inspected.
    private static let longestBody = 4 * 1024 * 1024
}

extension Check {
    /// The result of a response. The latency is that of the transfer itself, without other work of this process.
    init(_ response: HTTPResponse, of target: WatchTarget, after elapsed: Duration) {
        let latency = response.metrics?.total ?? elapsed
        let time = Date()
        let fault = target.requirement.fault(of: response, latency: latency, at: time)
        self.init(
            target: target, time: time, latency: latency,
            outcome: fault.map { .down(status: response.status, reason: $0.excerpt(Self.longestReason)) } ?? .up(status: response.status),
            phases: response.metrics.map(Phases.init), certificateExpiry: response.metrics?.certificateExpiry,
            body: fault == nil || response.body.isEmpty ? nil : String(decoding: response.utf8Body.prefix(Self.keptBody), as: UTF8.self)
        )
    }

    init(failed error: any Error, of target: WatchTarget, after elapsed: Duration) {
        let reason = ErrorWording.short(error).excerpt(Self.longestReason)
        self.init(target: target, time: Date(), latency: elapsed, outcome: .down(status: nil, reason: reason))
    }

    /// The number of bytes of a body that are kept to be shown.
    private static let keptBody = 2000
}

extension Requirement {
    /// Returns the fault of a response, in a few words; `nil` if it has none.
    func fault(of response: HTTPResponse, latency: Duration, at time: Date) -> String? {
        guard accepts(response.status) else {
            return statuses.isEmpty ? "status \(response.status)" : "status \(response.status), expected \(statuses.inWords)"
        }
        if readsBody, let fault = fault(ofBody: response.utf8Body) { return fault }
        if let limit = self.latency, latency > limit {
            return "took \(Wording.milliseconds(latency.milliseconds)), limit \(Wording.milliseconds(limit.milliseconds))"
        }
        return certificateDays.flatMap { certificateFault(response.metrics?.certificateExpiry, least: $0, at: time) }
    }

    private func fault(ofBody body: Data) -> String? {
        if let text, body.range(of: Data(text.utf8)) == nil { return "the body lacks \"\(text)\"" }
        return value.flatMap { $0.fault(in: body) }
    }

    private func certificateFault(_ expiry: Date?, least: Int, at time: Date) -> String? {
        guard let expiry else { return nil }
        let days = Int((expiry.timeIntervalSince(time) / 86_400).rounded(.down))
        guard days < least else { return nil }
        return days < 0 ? "the certificate has expired" : "the certificate expires in \(Wording.count(days, "day"))"
    }
}

extension Requirement.Value {
    fileprivate func fault(in body: Data) -> String? {
        guard let json = try? JSON(parsing: body) else { return "the body is not JSON" }
        guard let found = json.value(at: path) else { return "the body has no \(path)" }
        guard let equals, found != equals else { return nil }
        return "\(path) is \(found.text().excerpt(Self.quoted)), expected \(equals.text())"
    }

    /// The number of characters of a found value that are quoted.
    private static let quoted = 40
}

extension [ClosedRange<Int>] {
    /// `200`, `200 or 204`, `200-299`.
    fileprivate var inWords: String {
        map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: " or ")
    }
}
