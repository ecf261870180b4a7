import Foundation

/// The rows of the benchmarks in which an operator runs, as they were measured and checked in.
struct Costs {
    struct Row: Codable {
        let name: String
        let minimum: Double
        let floors: Double
        let allocations: Double?
    }

    private struct Report: Codable {
        let date: String
        let machine: String
        let rows: [Row]
    }

    static let path = "Docs/Operators/Costs.json"
    /// Names of operators that are words of other rows.
    private static let ambiguous: Set = ["of", "array", "timer", "connect", "from", "values"]

    let measured: String
    private let rows: [Row]

    init(in root: URL) throws {
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: root.appending(path: Self.path)))
        rows = report.rows
        measured = "\(report.date), \(report.machine)"
    }

    /// Figures of a report that `StreamsBenchmarks --json` has written, with the date and the machine.
    static func stamped(_ report: Data) throws -> String {
        struct Measured: Decodable { let rows: [Row] }
        let rows = try JSONDecoder().decode(Measured.self, from: report).rows
        let machine = "\(ProcessInfo.processInfo.activeProcessorCount) cores"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let date = Date.now.formatted(.iso8601.year().month().day())
        return String(decoding: try encoder.encode(Report(date: date, machine: machine, rows: rows)), as: UTF8.self) + "\n"
    }

    /// With as many digits as matter.
    static func text(_ value: Double) -> String {
        let digits = value < 10 ? 2 : value < 100 ? 1 : 0
        return value.formatted(.number.precision(.fractionLength(0...digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }

    func rows(for base: String) -> [Row] {
        rows.filter { row in
            let text = row.name.prefix { $0 != ":" }
            if Self.ambiguous.contains(base) { return text.hasPrefix("\(base),") || text.hasPrefix("\(base) in a for await") }
            return text.split { !$0.isLetter }.map(String.init).contains { $0 == base || $0 == "\(base)s" }
        }
    }
}
