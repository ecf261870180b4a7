import Foundation

/// Measures what a stream costs. `Docs/Performance.md` says how to read what it prints.
@main
struct StreamsBenchmarks {
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            guard !arguments.wantsHelp else { return print(Arguments.usage) }
            if let runs = arguments.runs { return try run(runs, of: arguments) }
            let rows = try measure(arguments)
            Report.printSummary(rows)
            try arguments.jsonFile.map { try JSONReport(rows).write(to: $0) }
            guard let factor = arguments.checkFactor else { return }
            try check(rows, factor: factor)
        } catch let failure as Arguments.Failure {
            fail(failure.message, code: 2)
        } catch {
            fail("cannot write the report: \(error.localizedDescription)", code: 2)
        }
    }

    private static func chapters(_ arguments: Arguments) throws(Arguments.Failure) -> [Chapter] {
        let chapters = Chapter.all.compactMap { $0.filtered(by: arguments.filter) }
        guard !chapters.isEmpty else { throw Arguments.Failure(message: "no row's name contains '\(arguments.filter)'") }
        return chapters
    }

    /// Does the work of the rows, and prints how many operations a run of each has.
    private static func run(_ runs: Int, of arguments: Arguments) throws(Arguments.Failure) {
        for one in try chapters(arguments).flatMap(\.cases) {
            let workload = one.prepare(Sink())
            for _ in 0..<runs { workload(one.operations) }
            print("\(one.operations) operations a run: \(one.name)")
        }
    }

    private static func measure(_ arguments: Arguments) throws(Arguments.Failure) -> [Row] {
        let chapters = try chapters(arguments)
        let harness = arguments.isQuick ? Harness(runs: 10, duration: .milliseconds(150)) : Harness(runs: 60, duration: .milliseconds(400))
        return chapters.flatMap { chapter in
            Report.printHeading(chapter.title)
            return chapter.cases.map { one in
                let row = harness.measure(one, kind: chapter.kind)
                Report.printRow(row)
                return row
            }
        }
    }

    private static func check(_ rows: [Row], factor: Double) throws(Arguments.Failure) {
        let checked = rows.filter { $0.kind == .core }
        guard !checked.isEmpty else { throw Arguments.Failure(message: "--check found none of the first ten rows to look at") }
        let failed = checked.filter { row in !row.isComplete || row.limit.map { row.floors > $0 * factor } ?? false }
        guard !failed.isEmpty else { return }
        fail("costs more than \(factor) times the limit: \(failed.map(\.name).joined(separator: "; "))", code: 1)
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("StreamsBenchmarks: \(message)\n".utf8))
        exit(code)
    }
}
