internal import Bytes
import Foundation

extension LineOptions {
    /// The treatment of bytes that are not UTF-8 by a source of lines.
    public enum InvalidUTF8: Sendable, Equatable {
        /// Each invalid sequence becomes U+FFFD, the replacement character.
        case replace
        /// The stream fails with ``SystemSourceError/notUTF8(line:)``.
        case fail
    }

    /// The treatment of lines that are longer than ``LineOptions/maximumLength``.
    public enum LongLines: Sendable, Equatable {
        /// The stream fails with ``SystemSourceError/lineTooLong(number:limit:)``.
        case fail
        /// The beginning of the line is emitted, and its rest is skipped.
        case cut
    }
}

/// The options for reading lines.
public struct LineOptions: Sendable, Equatable {
    /// The longest line in bytes, so that a source without line feeds does not fill the memory; see ``longLines``.
    public var maximumLength: Int
    /// The treatment of bytes that are not UTF-8.
    public var invalidUTF8: InvalidUTF8
    /// The treatment of longer lines.
    public var longLines: LongLines

    /// Creates the options; by default 16 MB per line, an error for a longer one, and replacement of invalid bytes.
    public init(maximumLength: Int = 16 * 1024 * 1024, invalidUTF8: InvalidUTF8 = .replace, longLines: LongLines = .fail) {
        self.maximumLength = maximumLength
        self.invalidUTF8 = invalidUTF8
        self.longLines = longLines
    }
}

/// Emits the lines of bytes that are split anywhere.
struct LineDecoder {
    private let options: LineOptions
    private var splitter: LineSplitter

    init(_ options: LineOptions) {
        self.options = options
        splitter = LineSplitter(limit: options.maximumLength, cutsLongLines: options.longLines == .cut) {
            SystemSourceError.lineTooLong(number: $0, limit: $1)
        }
    }

    /// The bytes of a line that is not complete yet.
    var incomplete: [UInt8] { splitter.incomplete }

    /// Emits the result of `element` for each line that `bytes` complete. A line is decoded when it may be emitted.
    ///
    /// - Returns: the bytes that were not consumed; none unless the subscription is disposed.
    @discardableResult
    mutating func emitLines<Element>(
        of bytes: UnsafeRawBufferPointer, to thread: SourceThread<Element>, _ element: (String) -> Element
    ) throws -> UnsafeRawBufferPointer {
        var bytes = bytes
        while try thread.untilMayEmit(), let line = try splitter.next(in: &bytes, options.text) { thread.emit(element(line)) }
        return bytes
    }

    /// Returns the lines that a chunk completes, and behind them the error of one that is none; at the end, `nil`, the last line if it is not
    /// terminated.
    mutating func decode(_ chunk: Data?) -> [Result<String, any Error>] {
        var lines: [Result<String, any Error>] = []
        do {
            guard let chunk else { return try splitter.finish(options.text).map { [.success($0)] } ?? [] }
            try chunk.withUnsafeBytes { bytes in
                var bytes = bytes
                while let line = try splitter.next(in: &bytes, options.text) { lines.append(.success(line)) }
            }
        } catch { lines.append(.failure(error)) }
        return lines
    }

    /// Emits the last line if it is not terminated.
    mutating func emitLast<Element>(to thread: SourceThread<Element>, _ element: (String) -> Element) throws {
        guard !incomplete.isEmpty, try thread.untilMayEmit(), let line = try splitter.finish(options.text) else { return }
        thread.emit(element(line))
    }
}

extension LineOptions {
    @Sendable
    fileprivate func text(_ number: Int, _ bytes: UnsafeRawBufferPointer) throws -> String {
        guard invalidUTF8 == .fail else { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SystemSourceError.notUTF8(line: number) }
        return text
    }
}
