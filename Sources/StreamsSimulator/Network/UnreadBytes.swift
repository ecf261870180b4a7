/// Bytes that have arrived and have not been taken.
struct UnreadBytes {
    private var bytes: [UInt8] = []
    private var start = 0

    /// The remaining bytes; their indices are valid until the next change.
    var rest: ArraySlice<UInt8> { bytes[start...] }

    var count: Int { bytes.count - start }

    mutating func append(contentsOf more: some Collection<UInt8>) {
        if start > 0 { bytes.removeFirst(start) }
        start = 0
        bytes.append(contentsOf: more)
    }

    /// Takes the bytes before an index of ``rest``.
    @discardableResult
    mutating func take(upTo end: Int) -> ArraySlice<UInt8> {
        defer { start = end }
        return bytes[start..<end]
    }

    /// Takes at most `limit` bytes.
    mutating func take(atMost limit: Int) -> ArraySlice<UInt8> { take(upTo: start + min(limit, count)) }
}
