import Foundation

/// Splits bytes into lines, incrementally.
///
/// A byte order mark at the beginning is skipped. A value type: a copy continues from the state of the original.
package struct LineSplitter: Sendable {
    /// The characters that end a line.
    package enum Ending: Sendable {
        /// A line feed, or a carriage return and a line feed.
        case lineFeed
        /// A carriage return alone, too, as in streams of events. It ends its line at once: the line feed may be long in coming.
        case carriageReturnToo
    }

    @usableFromInline let limit: Int
    @usableFromInline let ending: Ending
    @usableFromInline let cutsLongLines: Bool
    @usableFromInline let makeError: @Sendable (_ number: Int, _ limit: Int) -> any Error
    @usableFromInline var rest: [UInt8] = []
    @usableFromInline var number = 0
    /// Whether the last line has ended with a carriage return, to which a line feed belongs.
    @usableFromInline var skipsLineFeed = false

    /// - Parameters:
    ///   - limit: the maximum length of a line, in bytes.
    ///   - ending: what ends a line.
    ///   - cutsLongLines: whether the rest of a longer line is skipped; otherwise it is an error.
    ///   - makeError: returns the error of a longer line; lines are counted from 1.
    package init(
        limit: Int, ending: Ending = .lineFeed, cutsLongLines: Bool = false,
        tooLong makeError: @escaping @Sendable (_ number: Int, _ limit: Int) -> any Error
    ) {
        (self.limit, self.ending, self.cutsLongLines, self.makeError) = (limit, ending, cutsLongLines, makeError)
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
        if skipsLineFeed { skipLineFeed(in: &bytes) }
        guard let end = lineEnd(in: bytes) else {
            rest.append(contentsOf: try fitting(bytes))
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return nil
        }
        skipsLineFeed = bytes[end] == 0x0D
        defer { bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]) }
        let line = try fitting(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
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
    func lineEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
        switch ending {
        case .lineFeed: bytes.lineFeed
        case .carriageReturnToo: bytes.firstIndex { $0 == 0x0A || $0 == 0x0D }
        }
    }

    @usableFromInline
    mutating func skipLineFeed(in bytes: inout UnsafeRawBufferPointer) {
        guard let first = bytes.first else { return }
        skipsLineFeed = false
        if first == 0x0A { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst()) }
    }

    /// The bytes of the line that fit into it.
    @usableFromInline
    func fitting(_ more: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
        guard rest.count + more.count > limit else { return more }
        guard cutsLongLines else { throw makeError(number + 1, limit) }
        return UnsafeRawBufferPointer(rebasing: more.prefix(limit - rest.count))
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
