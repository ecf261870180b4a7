import Streams

/// The events of a run, in order: a hash that two runs share only if they did the same, and the lines if somebody reads them.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class Trace: @unchecked Sendable {
    /// The kind of an event.
    enum Kind: String {
        case connected, refused, reset, request
        case started, ended, failed, killed
        case created, read, appended, flushed, renamed, removed, lost
        case fault, emitted, violated, note
    }

    struct Line: Equatable {
        let time: Duration
        let kind: Kind
        let who: String
        let what: String

        var text: String { "\(time.displayText)  \(who)  \(kind.rawValue) \(what)" }
    }

    private let keepsLines: Bool
    private(set) var lines: [Line] = []
    /// FNV-1a of all lines.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init(keepsLines: Bool) {
        self.keepsLines = keepsLines
    }

    func note(_ time: Duration, _ kind: Kind, _ who: String, _ what: String) {
        note(time, kind, who) { what }
        mix(what)
    }

    /// Notes an element. Numbers, of which there are many, are described only if somebody reads the lines.
    func note(_ time: Duration, emitted element: some Any, in stream: String) {
        guard let number = element as? Int else { return note(time, .emitted, stream, String(describing: element)) }
        note(time, .emitted, stream) { String(number) }
        mix(UInt64(bitPattern: Int64(number)))
    }

    private func note(_ time: Duration, _ kind: Kind, _ who: String, _ what: () -> String) {
        mix(UInt64(truncatingIfNeeded: time.nanoseconds))
        mix(kind.rawValue)
        mix(who)
        if keepsLines { lines.append(Line(time: time, kind: kind, who: who, what: what())) }
    }

    private func mix(_ text: String) {
        for byte in text.utf8 { mix(UInt64(byte)) }
    }

    private func mix(_ value: UInt64) { hash = (hash ^ value) &* 0x100_0000_01b3 }
}

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
        case .connected, .refused, .reset, .request, .created, .read, .appended, .flushed, .renamed, .removed, .lost, .note: nil
        }
    }
}
