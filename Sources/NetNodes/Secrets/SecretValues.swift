import Foundation

/// Values that are known to be secret, to be redacted wherever they occur.
///
/// Values of fewer than six bytes are excluded, because they occur everywhere by coincidence.
struct SecretValues: Sendable {
    private static let shortest = 6
    /// Words that precede a secret but are not secret themselves.
    private static let schemes: Set<String> = ["bearer", "digest", "negotiate"]

    private var known: Set<[UInt8]> = []
    /// The values by their first six bytes, the longest first, because one may be a prefix of another.
    private var byPrefix: [UInt64: [[UInt8]]] = [:]

    /// Adds a value and its percent-decoded form.
    mutating func insert(_ value: [UInt8]) {
        insertExactly(value)
        guard let text = String(validating: value, as: UTF8.self) else { return }
        if text.utf8.contains(UInt8(ascii: "%")), let decoded = text.removingPercentEncoding { insertExactly(Array(decoded.utf8)) }
        insertExactly(Array(text.percentEncoded.utf8))
    }

    private mutating func insertExactly(_ value: [UInt8]) {
        guard value.count >= Self.shortest, value != Array(Redactor.mark.utf8), !known.contains(value),
            !Self.schemes.contains(String(decoding: value, as: UTF8.self).lowercased())
        else { return }
        known.insert(value)
        let prefix = value.prefix(Self.shortest).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let values = byPrefix[prefix, default: []]
        let place = values.firstIndex { $0.count < value.count } ?? values.endIndex
        byPrefix[prefix, default: []].insert(value, at: place)
    }

    /// Removes a value.
    mutating func remove(_ value: [UInt8]) {
        guard known.remove(value) != nil else { return }
        for prefix in byPrefix.keys { byPrefix[prefix]?.removeAll { $0 == value } }
    }

    /// Returns these bytes with every known value replaced by the mark.
    ///
    /// Complexity: O(n) in the bytes, independent of the number of values, as long as few have the same prefix.
    func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard !known.isEmpty, bytes.count >= Self.shortest else { return bytes }
        var result: [UInt8] = []
        var copied = 0
        var position = 0
        var prefix: UInt64 = 0
        for index in 0..<(Self.shortest - 1) { prefix = prefix << 8 | UInt64(bytes[index]) }
        while position + Self.shortest <= bytes.count {
            prefix = (prefix << 8 | UInt64(bytes[position + Self.shortest - 1])) & 0xFFFF_FFFF_FFFF
            guard let match = byPrefix[prefix]?.first(where: { bytes[position...].starts(with: $0) }) else {
                position += 1
                continue
            }
            result += bytes[copied..<position] + Redactor.mark.utf8
            position += match.count
            copied = position
            guard position + Self.shortest <= bytes.count else { break }
            for index in position..<(position + Self.shortest - 1) { prefix = prefix << 8 | UInt64(bytes[index]) }
        }
        return copied == 0 ? bytes : result + bytes[copied...]
    }
}

extension CharacterSet {
    /// The characters that never need to be escaped in a URL.
    static let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
