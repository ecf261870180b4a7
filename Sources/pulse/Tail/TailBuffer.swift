import NetNodes

/// A line that is kept.
struct TailLine: Sendable, Equatable {
    /// The number of the source.
    let source: Int
    let text: String
    /// Whether it says something about the source and is no line of it.
    var isNote = false
    /// The number of lines that came before it.
    fileprivate(set) var number = 0
}

/// The last lines, as many as the bounds allow, and the number of those that had to go.
struct TailBuffer: Sendable {
    private(set) var lines: ArraySlice<TailLine> = []
    private(set) var leftOut = 0
    private var bytes = 0
    private var count = 0
    private let mostLines: Int
    private let mostBytes: Int

    init(mostLines: Int = 10_000, mostBytes: Int = 16 * 1024 * 1024) {
        (self.mostLines, self.mostBytes) = (mostLines, mostBytes)
    }

    /// Appends a line. The oldest lines go; the last always stays.
    mutating func append(_ line: TailLine) {
        var line = line
        line.number = count
        count += 1
        lines.append(line)
        bytes += line.text.utf8.count
        while lines.count > 1, lines.count > mostLines || bytes > mostBytes, let first = lines.popFirst() {
            bytes -= first.text.utf8.count
            leftOut += 1
        }
    }

    /// Removes and returns all lines, and forgets how many had to go.
    mutating func takeAll() -> [TailLine] {
        defer { self = TailBuffer(mostLines: mostLines, mostBytes: mostBytes) }
        return Array(lines)
    }
}
