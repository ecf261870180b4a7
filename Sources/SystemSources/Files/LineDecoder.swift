import Foundation

/// The treatment of bytes that are not UTF-8 by a source of lines.
public enum InvalidUTF8: Sendable, Equatable {
    /// Each invalid sequence becomes U+FFFD, the replacement character.
    case replace
    /// The stream fails with ``SystemSourceError/notUTF8(line:)``.
    case fail
}

/// The options for reading lines.
public struct LineOptions: Sendable, Equatable {
    /// The longest line in bytes; a longer one fails the stream with ``SystemSourceError/lineTooLong(number:limit:)``, so that a source
    /// without line feeds does not fill the memory.
    public var maximumLength: Int
    /// The treatment of bytes that are not UTF-8.
    public var invalidUTF8: InvalidUTF8

    /// Creates the options; by default 16 MB per line and replacement of invalid bytes.
    public init(maximumLength: Int = 16 * 1024 * 1024, invalidUTF8: InvalidUTF8 = .replace) {
        self.maximumLength = maximumLength
        self.invalidUTF8 = invalidUTF8
    }
}

/// Splits bytes into lines, incrementally.
///
/// A line ends with a line feed, or with a carriage return and a line feed; a byte order mark at the beginning is skipped.
struct LineDecoder {
    private let options: LineOptions
    private var rest: [UInt8] = []
    private var number = 0

    init(_ options: LineOptions) {
        self.options = options
    }

    /// The bytes of a line that is not complete yet.
    var incomplete: [UInt8] { rest }

    /// Emits the result of `element` for each line that `bytes` complete. A line is decoded when it may be emitted.
    ///
    /// - Returns: the bytes that were not consumed; none unless the subscription is disposed.
    @discardableResult
    mutating func emitLines<Element>(
        of bytes: UnsafeRawBufferPointer, to thread: SourceThread<Element>, _ element: (String) -> Element
    ) throws -> UnsafeRawBufferPointer {
        var bytes = bytes
        while try thread.untilMayEmit(), let line = try next(in: &bytes) { thread.emit(element(line)) }
        return bytes
    }

    /// Emits the last line if it is not terminated.
    mutating func emitLast<Element>(to thread: SourceThread<Element>, _ element: (String) -> Element) throws {
        guard !rest.isEmpty, try thread.untilMayEmit() else { return }
        thread.emit(element(try decode(UnsafeRawBufferPointer(start: nil, count: 0))))
    }

    /// Takes a line from the beginning of `bytes`; if no line ends there, stores all bytes.
    private mutating func next(in bytes: inout UnsafeRawBufferPointer) throws -> String? {
        guard let end = Self.lineFeed(in: bytes) else {
            try check(bytes.count)
            rest.append(contentsOf: bytes)
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return nil
        }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) }
        return try decode(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }

    private static func lineFeed(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base, 0x0A, bytes.count) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private func check(_ more: Int) throws {
        guard rest.count + more <= options.maximumLength else {
            throw SystemSourceError.lineTooLong(number: number + 1, limit: options.maximumLength)
        }
    }

    private mutating func decode(_ end: UnsafeRawBufferPointer) throws -> String {
        try check(end.count)
        number += 1
        guard !rest.isEmpty else { return try text(end) }
        rest.append(contentsOf: end)
        defer { rest.removeAll(keepingCapacity: rest.capacity < 65_536) }
        return try rest.withUnsafeBytes { try text($0) }
    }

    private func text(_ line: UnsafeRawBufferPointer) throws -> String {
        var bytes = line[...]
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == 0x0D { bytes = bytes.dropLast() }
        guard options.invalidUTF8 == .fail else { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SystemSourceError.notUTF8(line: number) }
        return text
    }
}
