import Foundation

/// The inputs that a fuzzer has kept: each reached a new place in a parser. The files have one input on each line, in Base64.
public enum FuzzCorpus: String, Sendable {
    case natsOperations
    case requests
    case webSocketFrames

    /// Reads the inputs.
    ///
    /// - Throws: the error of the file, or ``Damaged`` for a line that is not Base64.
    public func inputs() throws -> [[UInt8]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Inputs/\(rawValue).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated().map { index, line in
            guard let input = Data(base64Encoded: String(line)) else { throw Damaged(file: file.lastPathComponent, line: index + 1) }
            return Array(input)
        }
    }

    public struct Damaged: Error {
        public let file: String
        public let line: Int
    }
}
