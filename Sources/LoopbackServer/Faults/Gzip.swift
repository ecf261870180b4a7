import Foundation

extension LoopbackServer.Response {
    /// Returns this response in a gzip envelope with `Content-Encoding: gzip`. The bytes are stored, not compressed: valid for every
    /// decoder, but no smaller. Streaming and generated bodies are unchanged.
    public func gzipped() -> LoopbackServer.Response {
        guard let data = body.data else { return self }
        var response = self
        response.body = .data(Gzip.envelope(data))
        return response.header("Content-Encoding", "gzip")
    }
}

/// The gzip format with stored blocks.
///
/// Source: [RFC 1951](https://www.rfc-editor.org/rfc/rfc1951), [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952).
enum Gzip {
    private static let blockBytes = 65_535

    static func envelope(_ data: Data) -> Data {
        var result = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
        var rest = data[...]
        repeat {
            let block = rest.prefix(blockBytes)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            result.append(littleEndian: length)
            result.append(littleEndian: ~length)
            result.append(block)
        } while !rest.isEmpty
        result.append(littleEndian: checksum(data))
        result.append(littleEndian: UInt32(truncatingIfNeeded: data.count))
        return result
    }

    static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xff)] ^ ($0 >> 8) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
