/// Bytes that have arrived and have not been taken; they are taken in lines or in runs.
///
/// A byte is searched for a line end once, however the input is split, so the work is linear in total.
package struct ByteQueue: Sendable {
    private static let compactingThreshold = 64 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    package init() {}

    package var count: Int { bytes.count - start }
    package var isEmpty: Bool { count == 0 }

    /// The remaining bytes; their indices are valid until the next change.
    package var rest: ArraySlice<UInt8> { bytes[start...] }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        compact()
        bytes.append(contentsOf: more)
    }

    package mutating func append(_ more: [UInt8]) {
        more.withUnsafeBytes { append($0) }
    }

    /// Takes the next line with its line feed, or `nil` while it is incomplete.
    package mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let end = lineFeed(from: max(start, searched)) else {
            searched = bytes.count
            return nil
        }
        return take(upTo: end + 1)
    }

    private func lineFeed(from place: Int) -> Int? {
        bytes.withUnsafeBytes { $0.part(place, $0.count).lineFeed.map { $0 + place } }
    }

    /// Takes the bytes before an index of ``rest``.
    @discardableResult
    package mutating func take(upTo end: Int) -> ArraySlice<UInt8> {
        defer { start = end }
        return bytes[start..<end]
    }

    /// Takes at most `limit` bytes.
    @discardableResult
    package mutating func take(atMost limit: Int) -> ArraySlice<UInt8> { take(upTo: start + min(limit, count)) }

    /// Removes and returns all bytes.
    package mutating func takeAll() -> [UInt8] {
        defer { self = ByteQueue() }
        return Array(rest)
    }

    private mutating func compact() {
        guard start > 0, isEmpty || start >= Self.compactingThreshold else { return }
        bytes.removeSubrange(..<start)
        searched = max(0, searched - start)
        start = 0
    }
}
