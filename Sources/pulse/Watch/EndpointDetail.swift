import Foundation
import TerminalViews

/// The details of an endpoint.
struct EndpointDetail {
    let theme: Theme

    func detail(_ record: EndpointRecord, name: String) -> Entry.Detail {
        let address = record.target.name == nil ? "" : "  \(record.target.readableURL)"
        return Entry.Detail(
            title: StyledText(name, .bold) + StyledText(address, theme.faint),
            facts: facts(record),
            chart: chart(record),
            list: record.lastFailures.isEmpty ? "" : StyledText("last failures\n", theme.faint) + failures(record),
            pages: [
                Entry.Page(title: title("Failures", record.failures), text: failures(record) + earlier(record)),
                Entry.Page(title: "Response", text: response(record)),
            ]
        )
    }

    private func title(_ text: String, _ count: Int) -> StyledText {
        StyledText(count == 0 ? text : "\(text) \(count)")
    }

    /// Returns the facts, one on each line; the decisive ones come first.
    private func facts(_ record: EndpointRecord) -> StyledText {
        let lines = [state(record), last(record), latency(record), phases(record), checks(record), certificate(record)]
        return lines.compactMap(\.self).reduce("") { $0.spans.isEmpty ? $1 : $0 + "\n" + $1 }
    }

    private func fact(_ name: String, _ value: StyledText) -> StyledText {
        StyledText(TerminalText.padded(name, to: 9), theme.faint) + value
    }

    private func state(_ record: EndpointRecord) -> StyledText? {
        guard let last = record.last, let since = record.since else {
            return fact("state", StyledText("waiting for the first check", theme.faint))
        }
        let name = last.isUp ? StyledText("up", theme.good) : StyledText("down", theme.bad)
        let reason = last.reason.map { StyledText("  \($0)", theme.bad) } ?? ""
        let elapsed = Wording.elapsed(last.time.timeIntervalSince(since))
        return fact("state", name + " since \(Wording.time(since)), \(elapsed)" + reason)
    }

    private func last(_ record: EndpointRecord) -> StyledText? {
        guard let last = record.last else { return nil }
        let status = last.status.map { ", status \($0)" } ?? ""
        return fact("last", StyledText("\(Wording.milliseconds(last.latency.milliseconds)) at \(Wording.time(last.time))\(status)"))
    }

    private func latency(_ record: EndpointRecord) -> StyledText? {
        let named = [("p50", 50.0), ("p95", 95), ("p99", 99), ("max", 100)].compactMap { name, percent in
            record.percentile(percent).map { (name, $0) }
        }
        return named.isEmpty ? nil : fact("latency", durations(named))
    }

    private func phases(_ record: EndpointRecord) -> StyledText? {
        guard let phases = record.phases else { return nil }
        let start = phases.isReused ? StyledText("reused  ", theme.faint) : ""
        return fact("phases", start + durations(phases.named.filter { $0.name != "lookup" || $0.milliseconds >= 0.05 }))
    }

    /// Returns durations with one unit after the last, so that they fit on a line.
    private func durations(_ named: [(name: String, milliseconds: Double)]) -> StyledText {
        let isLong = named.contains { $0.milliseconds >= 10_000 }
        let values = named.map {
            Wording.number(isLong ? $0.milliseconds / 1000 : $0.milliseconds, places: $0.milliseconds < 100 || isLong ? 1 : 0)
        }
        let parts = zip(named, values).map { StyledText("\($0.name) ", theme.faint) + StyledText($1) }
        return parts.enumerated().reduce("") { $0 + ($1.offset == 0 ? "" : "  ") + $1.element } + (isLong ? " s" : " ms")
    }

    private func checks(_ record: EndpointRecord) -> StyledText? {
        guard let uptime = record.uptime else { return nil }
        let text = "\(record.checks), \(record.failures) failed, up \(Wording.number(uptime, places: 1)) %"
        return fact("checks", StyledText(text))
    }

    private func certificate(_ record: EndpointRecord) -> StyledText? {
        guard let expiry = record.certificateExpiry, let now = record.last?.time else { return nil }
        let days = Int((expiry.timeIntervalSince(now) / 86_400).rounded(.down))
        let text =
            days < 0
            ? "certificate expired on \(Wording.day(expiry))"
            : "certificate until \(Wording.day(expiry)), \(Wording.count(days, "day")) left"
        return fact("TLS", StyledText(text, days < 14 ? theme.bad : .plain))
    }

    private func failures(_ record: EndpointRecord) -> StyledText {
        guard !record.lastFailures.isEmpty else { return StyledText("No check has failed.", theme.faint) }
        return record.lastFailures.reduce("") { text, failure in
            let status = TerminalText.padded(failure.status.map(String.init) ?? "-", to: 3)
            let line = StyledText(Wording.time(failure.time), theme.faint) + "  \(status)  \(failure.reason ?? "")"
            return text.spans.isEmpty ? line : text + "\n" + line
        }
    }

    /// Returns a note about the failures that the list of the last ones leaves out.
    private func earlier(_ record: EndpointRecord) -> StyledText {
        let count = record.failures - record.lastFailures.count
        return count > 0 ? StyledText("\nand \(count) before", theme.faint) : ""
    }

    private func response(_ record: EndpointRecord) -> StyledText {
        guard let failure = record.lastFailure else {
            return StyledText("The start of a failed response's body is shown here.", theme.faint)
        }
        let heading = StyledText("\(Wording.time(failure.time))  \(failure.reason ?? "")", theme.faint)
        let text =
            failure.body.map { StyledText($0) } ?? StyledText(failure.isRecorded ? Self.unrecorded : "There was no body.", theme.faint)
        return heading + "\n" + text
    }

    private static let unrecorded = "Recordings and shared checks have no bodies, because these may be confidential."

    /// Returns the latency over the last minute, two, five or ten, depending on the available time. The axis grows in small steps, so that
    /// the bars do not jump together.
    private func chart(_ record: EndpointRecord) -> Entry.Chart {
        let now = record.samples.last?.time ?? Date(timeIntervalSince1970: 0)
        let age = record.samples.first.map { now.timeIntervalSince($0.time) } ?? 0
        let minutes = [1, 2, 5].first { age <= Double($0) * 60 } ?? 10
        return Entry.Chart(
            points: record.samples.map { Chart.Point(x: $0.time.timeIntervalSince(now), y: $0.latency) },
            axis: Chart.Axis(-60 * Double(minutes)...0, from: "\(Wording.count(minutes, "minute")) ago", to: "now"),
            hold: record.target.interval.milliseconds / 1000 * 2.5,
            baseline: 0,
            placeholder: record.samples.contains(where: \.isAnswered) ? "all failed" : "no answer",
            unit: .milliseconds,
            style: theme.accent
        )
    }
}
