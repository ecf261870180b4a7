public import Foundation

/// Cuts bytes into lines as they arrive, cut anywhere.
///
/// A value: a copy goes on from where the original stands. Lines end with a line feed, or with a carriage return and a line feed; a mark of byte
/// order at the beginning is no part of the first.
public struct LineSplitter: Sendable {
    /// A line without its end.
    public struct Line: Sendable, Equatable {
        /// Counted from 1.
        public let number: Int
        /// Its bytes.
        public let bytes: Data
    }

    /// How long one line may be, in bytes.
    package let limit: Int
    private var rest = Data()
    private var count = 0

    package init(limit: Int = 16 * 1024 * 1024) {
        self.limit = limit
    }

    /// Takes the next bytes.
    ///
    /// - Returns: the lines that they complete.
    /// - Throws: ``JSONLinesError/lineTooLong(number:limit:)``.
    ///
    /// Complexity: linear in the bytes.
    package mutating func consume(_ bytes: Data) throws(JSONLinesError) -> [Line] {
        var lines: [Line] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            try check(end - start)
            rest += bytes[start..<end]
            lines.append(takeLine())
            start = end + 1
        }
        try check(bytes.endIndex - start)
        rest += bytes[start...]
        return lines
    }

    /// The last line, where no line feed follows it.
    package mutating func finish() -> Line? {
        rest.isEmpty ? nil : takeLine()
    }

    private func check(_ more: Int) throws(JSONLinesError) {
        guard rest.count + more <= limit else { throw .lineTooLong(number: count + 1, limit: limit) }
    }

    private mutating func takeLine() -> Line {
        defer { rest = Data() }
        count += 1
        if count == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = Data(rest.dropFirst(3)) }
        if rest.last == 0x0D { rest.removeLast() }
        return Line(number: count, bytes: rest)
    }
}

/// Why lines are no JSON lines. Lines are counted from 1.
public enum JSONLinesError: Error, Equatable, Sendable {
    /// A line is longer than is read.
    case lineTooLong(number: Int, limit: Int)
    /// A line is not JSON.
    case notJSON(number: Int, JSONError)
    /// A line has another shape than the model.
    case unfit(number: Int, ModelError)
}

extension JSONLinesError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .lineTooLong(let number, let limit): "Line \(number) is longer than \(limit) bytes."
        case .notJSON(let number, let error):
            "Line \(number) is no JSON (column \(error.column)): \(error.reason), near \"\(error.excerpt)\"."
        case .unfit(let number, let error): "Line \(number): \(error)"
        }
    }

    public var errorDescription: String? { description }
}
