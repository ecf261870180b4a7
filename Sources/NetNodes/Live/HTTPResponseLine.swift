internal import Bytes
public import Foundation

extension HTTPResponse {
    /// A line of a body, without its terminator.
    public struct Line: Sendable, Equatable {
        /// The line number, counted from 1.
        public let number: Int
        /// The bytes of the line.
        public let bytes: Data
        /// The line as text; bytes that are not UTF-8 become U+FFFD.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }
}

extension LineSplitter {
    init(limit: Int = 16 * 1024 * 1024) {
        self.init(limit: limit) { JSON.LinesFailure.lineTooLong(number: $0, limit: $1) }
    }

    /// Consumes the next bytes, and returns the lines completed by them.
    mutating func consume(_ bytes: Data) throws -> [HTTPResponse.Line] {
        try bytes.withUnsafeBytes { bytes in
            var (rest, lines) = (bytes, [HTTPResponse.Line]())
            while let line = try next(in: &rest, HTTPResponse.Line.init) { lines.append(line) }
            return lines
        }
    }

    /// Returns the last line if it is not terminated.
    mutating func finish() -> HTTPResponse.Line? { finish(HTTPResponse.Line.init) }
}

extension HTTPResponse.Line {
    fileprivate init(_ number: Int, _ bytes: UnsafeRawBufferPointer) {
        self.init(number: number, bytes: Data(bytes))
    }
}

extension JSON {
    /// The reason why lines cannot be decoded. Lines are counted from 1.
    public enum LinesFailure: Error, Equatable, Sendable {
        /// A line exceeds the limit.
        case lineTooLong(number: Int, limit: Int)
        /// A line is not JSON.
        case notJSON(number: Int, SyntaxError)
        /// A line does not match the model.
        case unfit(number: Int, ModelFailure)
    }
}

extension JSON.LinesFailure: LocalizedError, CustomStringConvertible {
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
