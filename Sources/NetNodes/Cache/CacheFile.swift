internal import Bytes
import Foundation

/// The file format of a response: a magic number, a checksum of the rest and of the key, the length of the head, the head as JSON, and the
/// body.
extension CachedResponse {
    private struct Head: Codable {
        var status: Int
        var headers: [[String]]
        var variant: [String: String]
        var date: Date
        var length: Int
    }

    private static let mark = Data("NetNodes response 2\n".utf8)
    private static let checksumDigits = 16

    func fileContent(_ key: Key) throws -> Data {
        let fields = headers.map { [$0.name, $0.value] }
        let head = try JSONEncoder().encode(Head(status: status, headers: fields, variant: variant, date: date, length: body.count))
        let content = Data("\(head.count)\n".utf8) + head + body
        return Self.mark + Self.checksum(content, key) + content
    }

    /// Parses a file; returns `nil` if any byte differs from the written ones, or if the file belongs to another key.
    init?(fileContent data: Data, _ key: Key) {
        guard data.starts(with: Self.mark), data.count > Self.mark.count + Self.checksumDigits else { return nil }
        let checked = data.dropFirst(Self.mark.count)
        let rest = checked.dropFirst(Self.checksumDigits)
        guard checked.starts(with: Self.checksum(rest, key)) else { return nil }
        guard let lineEnd = rest.prefix(20).firstIndex(of: 0x0A), let count = Int(String(decoding: rest[..<lineEnd], as: UTF8.self)),
            count >= 0, count <= rest.endIndex - lineEnd - 1
        else { return nil }
        let bodyStart = lineEnd + 1 + count
        guard let head = try? JSONDecoder().decode(Head.self, from: rest[(lineEnd + 1)..<bodyStart]),
            head.length == rest.endIndex - bodyStart, head.headers.allSatisfy({ $0.count == 2 })
        else { return nil }
        let headers = HTTPHeaders(head.headers.map { HTTPHeaders.Field(name: $0[0], value: $0[1]) })
        self.init(status: head.status, headers: headers, body: Data(rest[bodyStart...]), variant: head.variant, date: head.date)
    }

    /// Returns 16 hexadecimal digits. An error within eight adjacent bytes is always detected, a larger one with a probability of 1 - 2⁻⁶⁴.
    /// It protects against corruption, not against manipulation.
    private static func checksum(_ content: Data, _ key: Key) -> Data {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for byte in key.digest.utf8 { state.mix(UInt64(byte)) }
        content.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            for index in 0..<words { state.mix(bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self).littleEndian) }
            for index in (words * 8)..<bytes.count { state.mix(UInt64(bytes[index])) }
        }
        state.mix(UInt64(content.count))
        return Data(state.hexadecimal.utf8)
    }
}

extension UInt64 {
    /// Mixes a word in, so that two different words never lead to the same state.
    fileprivate mutating func mix(_ word: UInt64) {
        self = (self ^ word) &* 0xFF51_AFD7_ED55_8CCD
        self ^= self >> 32
    }
}
