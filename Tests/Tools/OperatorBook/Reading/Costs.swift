import Foundation
import OperatorCatalogue

/// The costs of operators, as they were measured and checked in: the rows of the benchmarks in which they run, and their allocations.
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
        let allocations: AllocationCounts
    }

    static let path = "Docs/Operators/Costs.json"
    let measured: String
    let allocations: AllocationCounts
    private let report: Report
    private let file: URL

    init(in root: URL) throws {
        file = root.appending(path: Self.path)
        report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: file))
        measured = "\(report.date), \(report.machine)"
        allocations = report.allocations
    }

    /// Takes the rows of a report that `StreamsBenchmarks --json` has written, with the date and the machine.
    func take(report path: String) throws {
        struct Measured: Decodable { let rows: [Row] }
        let rows = try JSONDecoder().decode(Measured.self, from: Data(contentsOf: URL(filePath: path))).rows
        let machine = "\(ProcessInfo.processInfo.activeProcessorCount) cores"
        let date = Date.now.formatted(.iso8601.year().month().day())
        try write(Report(date: date, machine: machine, rows: rows, allocations: allocations))
    }

    func take(_ allocations: AllocationCounts) throws {
        try write(Report(date: report.date, machine: report.machine, rows: report.rows, allocations: allocations))
    }

    private func write(_ report: Report) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(report) + Data("\n".utf8)).write(to: file, options: .atomic)
    }

    /// With as many digits as matter.
    static func text(_ value: Double) -> String {
        let digits = value < 10 ? 2 : value < 100 ? 1 : 0
        return value.formatted(.number.precision(.fractionLength(0...digits)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }

    /// The rows of the benchmarks that an operator names.
    func rows(for entry: Operator) throws -> [Row] {
        try entry.benchmarks.map { name in
            guard let row = report.rows.first(where: { $0.name == name }) else {
                throw BookError(message: "\(entry) names a benchmark that \(Self.path) does not have: \(name)")
            }
            return row
        }
    }
}
