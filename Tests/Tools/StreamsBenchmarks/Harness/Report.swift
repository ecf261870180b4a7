import Foundation

/// The rows as a table on standard output, each as soon as it is measured.
enum Report {
    private static let nameWidth = 66
    private static let columns = ["median ns", "min ns", "floors", "limit", "", "allocations", "live bytes"]
    private static let widths = [10, 10, 8, 7, 7, 14, 14]

    static func printHeading(_ title: String) {
        print("\n" + line(title, columns))
    }

    static func printRow(_ row: Row) {
        print(
            line(
                row.name,
                [
                    number(row.median), number(row.minimum), number(row.floors), row.limit.map { "\($0)" } ?? "", verdict(row),
                    bounded(row.allocations.map(number), by: row.allocationLimit.map(number)),
                    bounded(row.liveBytes.map { "\($0)" }, by: row.liveBytesLimit.map { "\($0)" }),
                ]))
    }

    static func printSummary(_ rows: [Row]) {
        let floors = rows.filter(\.isInFloors).map(\.floor).sorted()
        guard let lowest = floors.first, let highest = floors.last else { return }
        print("\nfloor: \(number(floors[floors.count / 2])) ns, between \(number(lowest)) and \(number(highest)) ns over the rows")
        let limited = rows.filter { $0.isReached != nil }
        guard !limited.isEmpty else { return }
        print("reached: \(limited.count { $0.isReached == true }) of \(limited.count)")
    }

    private static func verdict(_ row: Row) -> String {
        guard row.isComplete else { return "WRONG" }
        guard let isReached = row.isReached else { return "" }
        return isReached ? "yes" : "NO"
    }

    private static func bounded(_ figure: String?, by limit: String?) -> String {
        guard let figure else { return "not counted" }
        return limit.map { "\(figure) of \($0)" } ?? figure
    }

    private static func number(_ value: Double) -> String {
        if value >= 10_000 { return String(format: "%.0f", value) }
        return String(format: value >= 100 ? "%.1f" : "%.2f", value)
    }

    private static func line(_ name: String, _ cells: [String]) -> String {
        let aligned = zip(cells, widths).map { cell, width in String(repeating: " ", count: max(1, width - cell.count)) + cell }
        return name.padding(toLength: max(nameWidth, name.count), withPad: " ", startingAt: 0) + aligned.joined()
    }

    private static func print(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
