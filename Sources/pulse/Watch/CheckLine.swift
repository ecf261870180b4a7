import Foundation
import NetNodes
import TerminalViews

/// A check as one line, for pipes, scripts, logs and recordings.
enum CheckLine {
    /// For example `12:04:31  up    200      12.3 ms  http://host/path`.
    ///
    /// - Parameter nameWidth: the columns of the longest name, so that the text after the names is aligned too.
    static func text(_ check: Check, nameWidth: Int = 0) -> String {
        let name = TerminalText.sanitized(check.target.id)
        let columns = [
            Wording.time(check.time),
            TerminalText.padded(check.isUp ? "up" : "down", to: 4),
            TerminalText.padded(check.status.map(String.init) ?? "-", to: 3),
            TerminalText.padded(Wording.milliseconds(check.latency.milliseconds), to: 10, alignment: .trailing),
            check.reason == nil ? name : TerminalText.padded(name, to: max(nameWidth, TerminalText.width(of: name))),
        ]
        return (columns + [check.reason].compactMap(\.self)).joined(separator: "  ")
    }

    /// Returns one JSON object on one line. It contains no headers, bodies, or secrets of the URL.
    static func json(_ check: Check) -> String {
        object(check).text()
    }

    static func object(_ check: Check) -> JSON {
        .object(JSON.Object(members(check)))
    }

    static func members(_ check: Check) -> [(String, JSON)] {
        var members: [(String, JSON)] = [
            ("time", JSON(Timestamp.text(check.time))), ("url", JSON(check.target.shownURL)), ("up", JSON(check.isUp)),
            ("latencyMilliseconds", rounded(check.latency.milliseconds)),
        ]
        let named = [("name", check.target.name), ("group", check.target.group), ("error", check.reason)]
        members += named.compactMap { name, value in value.map { (name, JSON($0)) } }
        if let status = check.status { members.append(("status", JSON(status))) }
        if let phases = check.phases {
            members.append(("phaseMilliseconds", .object(JSON.Object(phases.members.map { ($0, rounded($1)) }))))
            if phases.isReused { members.append(("reused", true)) }
        }
        if let expiry = check.certificateExpiry { members.append(("certificateExpiry", JSON(Timestamp.text(expiry)))) }
        return members
    }

    private static func rounded(_ milliseconds: Double) -> JSON {
        JSON((milliseconds * 1000).rounded() / 1000)
    }
}

extension CheckLine {
    /// Returns the check of a line; `nil` if the line is no check. Older recordings say `milliseconds` and `phases`.
    static func check(_ json: JSON) -> Check? {
        guard let time = json["time"]?.string.flatMap(Timestamp.date), let url = json["url"]?.string.flatMap(url),
            let isUp = json["up"]?.bool, let milliseconds = (json["latencyMilliseconds"] ?? json["milliseconds"])?.double,
            (0...1e12).contains(milliseconds)
        else { return nil }
        // The values that a recording shows were allowed when it was made.
        let shown = Set(URLComponents(url: url, resolvingAgainstBaseURL: false)?.percentEncodedQueryItems?.map(\.name) ?? [])
        let target = WatchTarget(url, name: json["name"]?.string, group: json["group"]?.string, showing: shown)
        let status = json["status"]?.int
        let reason = (json["error"]?.string ?? "").excerpt(Check.longestReason)
        let outcome = isUp ? Check.Outcome.up(status: status ?? 0) : .down(status: status, reason: reason)
        return Check(
            target: target, time: time, latency: .nanoseconds(Int64(milliseconds * 1_000_000)), outcome: outcome,
            phases: (json["phaseMilliseconds"] ?? json["phases"]).map { Phases($0, isReused: json["reused"]?.bool ?? false) },
            certificateExpiry: json["certificateExpiry"]?.string.flatMap(Timestamp.date), isRecorded: true)
    }

    /// Returns the address. A longer one is rejected, because a shortened address would be another one.
    private static func url(_ text: String) -> URL? {
        text.utf8.count <= longestURL ? URL(lenient: text) : nil
    }

    private static let longestURL = 8_192
}

extension Phases {
    fileprivate var members: [(String, Double)] {
        [("lookup", lookup), ("connect", connect), ("tls", secure), ("firstByte", firstByte), ("body", body)]
            .compactMap { name, value in value.map { (name, $0) } }
    }

    fileprivate init(_ json: JSON, isReused: Bool) {
        let value = { (name: String) in json[name]?.double }
        self.init(
            lookup: value("lookup"), connect: value("connect"), secure: value("tls"), firstByte: value("firstByte"), body: value("body"),
            isReused: isReused)
    }
}

/// Times as ISO 8601 with milliseconds, in UTC: `2026-11-22T11:20:31.123Z`. Foundation's formatters are not used, because they are slow.
enum Timestamp {
    static func text(_ date: Date) -> String {
        let milliseconds = Int64((min(max(date.timeIntervalSince1970, 0), 2.5e11) * 1000).rounded())
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(day)T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(fraction)Z"
    }

    /// Parses the output of `text`, with or without the fraction.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= longest else { return nil }
        let numbers = text.split { !$0.isASCII || !$0.isNumber }
        let fields = numbers.prefix(6).compactMap { Int32($0) }
        guard fields.count == 6, text.hasSuffix("Z"), fields[0] < 10_000 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (fields[0] - 1900, fields[1] - 1, fields[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (fields[3], fields[4], fields[5])
        let fraction = numbers.count > 6 ? Double("0.\(numbers[6])") ?? 0 : 0
        return Date(timeIntervalSince1970: Double(timegm(&parts)) + fraction)
    }

    /// The maximum number of bytes; a longer text is no time.
    private static let longest = 40

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
