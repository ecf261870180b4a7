import Foundation
import TerminalViews

/// A check as one line, for pipes, scripts and logs.
enum CheckLine {
    /// For example `12:04:31  up    200      12.3 ms  http://host/path`.
    static func text(_ check: Check) -> String {
        let columns = [
            Wording.time(check.time),
            TerminalText.padded(check.isUp ? "up" : "down", to: 4),
            TerminalText.padded(check.status.map(String.init) ?? "-", to: 3),
            TerminalText.padded(Wording.milliseconds(check.latency.milliseconds), to: 10, alignment: .trailing),
            check.endpoint.redactedDescription,
        ]
        return (columns + [check.reason].compactMap(\.self)).joined(separator: "  ")
    }

    /// One JSON object on one line.
    static func json(_ check: Check) -> String {
        struct Line: Encodable {
            let time: String
            let url: String
            let up: Bool
            let status: Int?
            let milliseconds: Double
            let error: String?
        }
        let line = Line(
            time: check.time.formatted(.iso8601), url: check.endpoint.redactedDescription, up: check.isUp, status: check.status,
            milliseconds: (check.latency.milliseconds * 1000).rounded() / 1000, error: check.reason
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
