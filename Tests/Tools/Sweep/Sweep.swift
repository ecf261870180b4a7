import Foundation

/// Does the work of rows under valgrind, for `Tests/Tools/sweep`: `Sweep 3/8 REGEX`. Without arguments it prints the names of all rows, and those
/// that have none. The list of figures goes to the standard error, because rows print.
@main
enum Sweep {
    static func main() {
        guard CommandLine.arguments.count == 3 else { return printNames() }
        let share = CommandLine.arguments[1].split(separator: "/").compactMap { Int($0) }
        let pattern = CommandLine.arguments[2]
        for (index, row) in Row.all.enumerated() where index % share[1] == share[0] - 1 && row.matches(pattern) { run(row) }
    }

    private static func printNames() {
        for row in Row.all { print(([row.title] + row.names).joined(separator: "\t")) }
        for exemption in Row.exemptions { print((["-", exemption.reason] + exemption.names.sorted()).joined(separator: "\t")) }
    }

    private static func run(_ row: Row) {
        for (figure, prepare) in row.figures {
            guard let work = prepare() else { continue }
            for _ in 1..<Work.runs { work.run() }
            FileHandle.standardError.write(Data("\(figure)\t\(work.count)\t\(row.title)\n".utf8))
            sweepRow(work)
        }
    }
}

extension Row {
    fileprivate func matches(_ pattern: String) -> Bool {
        ([title] + names).contains { pattern.isEmpty || $0.range(of: pattern, options: .regularExpression) != nil }
    }
}
