import Foundation

/// Splits bytes into lines, incrementally.
///
/// A line ends with a line feed, or with a carriage return and a line feed; a byte order mark at the beginning is skipped. A value type: a
/// copy continues from the state of the original.
package struct LineSplitter: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let makeError: @Sendable (_ number: Int, _ limit: Int) -> any Error
    @usableFromInline var rest: [UInt8] = []
    @usableFromInline var number = 0

    /// - Parameters:
    ///   - limit: the maximum length of a line, in bytes.
    ///   - makeError: returns the error of a longer line; lines are counted from 1.
    package init(limit: Int, tooLong makeError: @escaping @Sendable (_ number: Int, _ limit: Int) -> any Error) {
        (self.limit, self.makeError) = (limit, makeError)
    }

    /// The bytes of a line that is not complete yet.
    package var incomplete: [UInt8] { rest }

    /// Takes a line from the beginning of `bytes`; if no line ends there, stores all bytes.
    ///
    /// - Parameter make: makes a line of its number and its bytes, without their end.
    /// - Returns: `nil` if no line is complete.
    ///
    /// Complexity: linear in the bytes.
    @inlinable
    package mutating func next<Line>(
        in bytes: inout UnsafeRawBufferPointer, _ make: (Int, UnsafeRawBufferPointer) throws -> Line
    ) throws -> Line? {
        guard let end = bytes.lineFeed else {
            try check(bytes.count)
            rest.append(contentsOf: bytes)
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return nil
        }
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) }
        try check(end)
        let line = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        guard !rest.isEmpty else {
            number += 1
            return try make(number, content(line))
        }
        rest.append(contentsOf: line)
        return try finish(make)
    }

    /// Takes the last line, if it is not terminated.
    @inlinable
    package mutating func finish<Line>(_ make: (Int, UnsafeRawBufferPointer) throws -> Line) rethrows -> Line? {
        guard !rest.isEmpty else { return nil }
        number += 1
        defer { rest.removeAll(keepingCapacity: rest.capacity < 65_536) }
        return try rest.withUnsafeBytes { try make(number, content($0)) }
    }

    @usableFromInline
    func check(_ more: Int) throws {
        guard rest.count + more <= limit else { throw makeError(number + 1, limit) }
    }

    /// A line without what does not belong to it.
    @usableFromInline
    func content(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var bytes = line[...]
        if number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        if bytes.last == 0x0D { bytes = bytes.dropLast() }
        return UnsafeRawBufferPointer(rebasing: bytes)
    }
}

extension UnsafeRawBufferPointer {
    /// The position of the first line feed.
    @usableFromInline
    var lineFeed: Int? {
        guard let base = baseAddress, let found = memchr(base, 0x0A, count) else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
