import Foundation
import NetNodes

/// The statistics of a watch as a file: JSON, or CSV for a spreadsheet.
enum Export {
    /// Writes the file completely or not at all, for its owner only.
    ///
    /// - Throws: `POSIXError`.
    static func write(_ board: WatchBoard, to file: URL) throws {
        let isCSV = file.pathExtension.lowercased() == "csv"
        try Data((isCSV ? csv(board) : json(board)).utf8).writeWhole(to: file)
    }

    static func json(_ board: WatchBoard) -> String {
        JSON.array(board.records.map { .object(JSON.Object(members($0))) }).text(.pretty) + "\n"
    }

    static func csv(_ board: WatchBoard) -> String {
        let rows = board.records.map { members($0).map { field($0.1) }.joined(separator: ",") }
        let names = board.records.first.map { members($0).map(\.0) } ?? []
        return ([names.joined(separator: ",")] + rows).joined(separator: "\r\n") + "\r\n"
    }

    /// Returns the same members for each endpoint, so that they can be columns too.
    private static func members(_ record: EndpointRecord) -> [(String, JSON)] {
        let target = record.target
        return [
            ("name", JSON(target.name ?? target.id)), ("group", target.group.map { JSON($0) } ?? .null),
            ("url", JSON(target.url.redactedDescription)), ("state", record.last.map { $0.isUp ? "up" : "down" } ?? "waiting"),
            ("since", record.since.map { JSON(Timestamp.text($0)) } ?? .null), ("checks", JSON(record.checks)),
            ("failures", JSON(record.failures)), ("uptime", number(record.uptime)),
            ("status", record.last?.status.map { JSON($0) } ?? .null), ("latencyMilliseconds", number(record.last?.latency.milliseconds)),
            ("p50Milliseconds", number(record.percentile(50))), ("p95Milliseconds", number(record.percentile(95))),
            ("p99Milliseconds", number(record.percentile(99))),
            ("certificateExpiry", record.certificateExpiry.map { JSON(Timestamp.text($0)) } ?? .null),
            ("lastError", record.lastFailure?.reason.map { JSON($0) } ?? .null),
            ("lastErrorTime", record.lastFailure.map { JSON(Timestamp.text($0.time)) } ?? .null),
        ]
    }

    private static func number(_ value: Double?) -> JSON {
        value.map { JSON(($0 * 1000).rounded() / 1000) } ?? .null
    }

    /// Returns a field as in RFC 4180. An apostrophe precedes one that a spreadsheet would take for a formula.
    private static func field(_ value: JSON) -> String {
        guard let text = value.string else { return value == .null ? "" : value.text() }
        let safe = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0.isNewline }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}
