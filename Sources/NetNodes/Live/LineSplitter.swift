public import Foundation

/// A line of a body, without its terminator.
public struct BodyLine: Sendable, Equatable {
    /// The line number, counted from 1.
    public let number: Int
    /// The bytes of the line.
    public let bytes: Data
}

/// Splits bytes into lines incrementally.
///
/// The splitter is a value: a copy continues from the state of the original. Lines are terminated by a line feed, or by a carriage return
/// and a line feed; a leading byte order mark is skipped.
package struct LineSplitter: Sendable {
    /// The maximum length of a line, in bytes.
    package let limit: Int
    private var rest = Data()
    private var count = 0

    package init(limit: Int = 16 * 1024 * 1024) {
        self.limit = limit
    }

    /// Consumes the next bytes.
    ///
    /// - Returns: the lines that these bytes complete.
    /// - Throws: ``JSONLinesError/lineTooLong(number:limit:)``.
    ///
    /// Complexity: linear in the bytes.
    package mutating func consume(_ bytes: Data) throws(JSONLinesError) -> [BodyLine] {
        var lines: [BodyLine] = []
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

    /// Returns the last line if it is not terminated.
    package mutating func finish() -> BodyLine? {
        rest.isEmpty ? nil : takeLine()
    }

    private func check(_ more: Int) throws(JSONLinesError) {
        guard rest.count + more <= limit else { throw .lineTooLong(number: count + 1, limit: limit) }
    }

    private mutating func takeLine() -> BodyLine {
        defer { rest = Data() }
        count += 1
        if count == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = Data(rest.dropFirst(3)) }
        if rest.last == 0x0D { rest.removeLast() }
        return BodyLine(number: count, bytes: rest)
    }
}

/// The reason why lines cannot be decoded. Lines are counted from 1.
public enum JSONLinesError: Error, Equatable, Sendable {
    /// A line exceeds the limit.
    case lineTooLong(number: Int, limit: Int)
    /// A line is not JSON.
    case notJSON(number: Int, JSONError)
    /// A line does not match the model.
    case unfit(number: Int, ModelError)
}

extension JSONLinesError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .lineTooLong(let number, let limit): "Line \(number) is longer than \(limit) bytes."
        case .notJSON(let number, let error):
            "Line \(number) is not JSON (column \(error.column)): \(error.reason), near \"\(error.excerpt)\"."
        case .unfit(let number, let error): "Line \(number): \(error)"
        }
    }

    public var errorDescription: String? { description }
}
