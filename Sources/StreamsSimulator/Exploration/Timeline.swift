import Streams

/// The processes and the streams of a run, one on each line, as marbles; all lines have the same scale.
struct Timeline {
    private static let width = 60

    private let lines: [Trace.Line]
    private let end: Duration

    init(_ lines: [Trace.Line], end: Duration) {
        (self.lines, self.end) = (lines, max(end, .nanoseconds(1)))
    }

    var text: String {
        var rows: [(name: String, marks: [Character])] = []
        for line in lines {
            guard let mark = mark(for: line) else { continue }
            let index = rows.firstIndex { $0.name == line.who } ?? rows.count
            if index == rows.count { rows.append((line.who, Array(repeating: "-", count: Self.width + 1))) }
            let column = column(of: line.time)
            rows[index].marks[column] = rows[index].marks[column] == "-" ? mark : Self.joined(rows[index].marks[column], mark)
        }
        let length = rows.map(\.name.count).max() ?? 0
        let drawn = rows.map { row in
            "\(row.name)\(String(repeating: " ", count: length - row.name.count))  \(String(row.marks))"
        }
        return (drawn + ["(from 0 to \(end.displayText): ^ started, ! killed, x failed, | ended, # fault, % violated, * elements)"])
            .joined(separator: "\n")
    }

    private func column(of time: Duration) -> Int { min(Self.width, Int(time / end * Double(Self.width))) }

    /// Returns the character for two events at the same place: the rarer one.
    private static func joined(_ first: Character, _ second: Character) -> Character {
        let order: [Character] = ["%", "!", "x", "#", "|", "^", "*"]
        return order.first { $0 == first || $0 == second } ?? "*"
    }

    private func mark(for line: Trace.Line) -> Character? {
        switch line.kind {
        case .started: "^"
        case .killed: "!"
        case .failed: "x"
        case .ended: "|"
        case .fault: "#"
        case .violated: "%"
        case .emitted: line.what.count == 1 ? line.what.first : "*"
        case .connected, .refused, .reset, .request, .note: nil
        }
    }
}
