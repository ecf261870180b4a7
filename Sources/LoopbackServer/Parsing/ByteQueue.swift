/// A queue of bytes that is consumed in lines or in runs.
///
/// A byte is searched for a line end once, however the input is split, so the work is linear in total.
struct ByteQueue: Sendable {
    private static let compactingThreshold = 64 << 10

    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        compact()
        bytes.append(contentsOf: more)
    }

    /// Takes the next line without its terminator, or `nil` while the line is incomplete. Only CR LF terminates a line.
    mutating func takeLine(limit: Int, tooLong: RequestFailure) throws(RequestFailure) -> ArraySlice<UInt8>? {
        let from = max(start, searched)
        guard let end = bytes[from...].firstIndex(of: .lineFeed) else {
            searched = bytes.count
            // One byte more than the limit may be the carriage return whose line feed is still to come.
            guard count <= limit + 1 else { throw tooLong }
            return nil
        }
        guard end - start <= limit + 1 else { throw tooLong }
        guard end > start, bytes[end - 1] == .carriageReturn else { throw .malformed("A line ends without a carriage return.") }
        let line = bytes[start..<(end - 1)]
        start = end + 1
        searched = start
        return line
    }

    /// Moves at most `limit` bytes to the end of `destination` and returns how many.
    mutating func take(upTo limit: Int, into destination: inout [UInt8]) -> Int {
        let taken = min(limit, count)
        destination.append(contentsOf: bytes[start..<(start + taken)])
        start += taken
        searched = start
        return taken
    }

    /// Removes and returns all bytes.
    mutating func takeAll() -> [UInt8] {
        defer { (bytes, start, searched) = ([], 0, 0) }
        return Array(bytes[start...])
    }

    private mutating func compact() {
        guard start > 0, isEmpty || start >= Self.compactingThreshold else { return }
        bytes.removeSubrange(..<start)
        searched = max(0, searched - start)
        start = 0
    }
}
