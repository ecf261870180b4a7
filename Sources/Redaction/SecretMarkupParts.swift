/// The elements that are open at a place of a document.
struct OpenElements {
    /// Whether the document must be well-formed.
    let isStrict: Bool
    /// Whether the document is not well-formed.
    var isBroken = false
    private var names: [ArraySlice<UInt8>] = []
    private var counts: [ArraySlice<UInt8>: Int] = [:]

    init(isStrict: Bool) {
        self.isStrict = isStrict
    }

    var isRefused: Bool { isStrict && isBroken }
    var innermost: ArraySlice<UInt8>? { names.last }

    /// Elements of HTML without content and without an end.
    private static let void = Set(
        ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"].map { Array($0.utf8)[...] })

    mutating func open(_ name: ArraySlice<UInt8>) {
        guard isStrict || !Self.void.contains(Array(name.map { $0 | 0x20 })[...]) else { return }
        names.append(name)
        counts[name, default: 0] += 1
    }

    /// Closes an element, with those that are open in it; one that is not open is ignored.
    mutating func close(_ name: ArraySlice<UInt8>) {
        if names.last != name { isBroken = true }
        guard !isRefused, counts[name, default: 0] > 0 else { return }
        while let last = names.popLast() {
            counts[last, default: 1] -= 1
            if last == name { return }
        }
    }

    /// Returns the beginning of the tag that ends the text of an element of HTML in which there are no tags.
    static func literalEndTag(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        let small = String(decoding: name, as: UTF8.self).lowercased()
        return ["script", "style", "textarea", "title"].contains(small) ? Array("</\(small)".utf8) : nil
    }
}

/// Entities.
extension SecretScanner {
    private static let entities: [(name: [UInt8], byte: UInt8)] = [
        ("lt", UInt8(ascii: "<")), ("gt", UInt8(ascii: ">")), ("amp", UInt8(ascii: "&")), ("quot", UInt8(ascii: "\"")),
        ("apos", UInt8(ascii: "'")),
    ].map { (Array("&\($0.0);".utf8), $0.1) }

    /// Returns the text with its entities resolved, as far as they are known everywhere.
    static func entitiesDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return Array(bytes) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "&"), let (character, end) = entity(bytes[index...].prefix(12)) else {
                result.append(bytes[index])
                index += 1
                continue
            }
            result += character
            index = end
        }
        return result
    }

    /// Returns the character of the entity that begins here, and its end.
    private static func entity(_ bytes: ArraySlice<UInt8>) -> ([UInt8], Int)? {
        if let (name, byte) = entities.first(where: { bytes.starts(with: $0.name) }) { return ([byte], bytes.startIndex + name.count) }
        guard bytes.starts(with: "&#".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let digits = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
        let isHexadecimal = digits.lowercased().hasPrefix("x")
        guard let number = UInt32(isHexadecimal ? digits.dropFirst() : digits[...], radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number)
        else { return nil }
        return (Array(String(scalar).utf8), end + 1)
    }

    static func entitiesEncoded(_ bytes: [UInt8], withQuotes: Bool) -> [UInt8] {
        bytes.indices.flatMap { index -> [UInt8] in
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&") where beginsEntity(bytes[index...]): return [byte]
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return withQuotes ? Array("&#\(byte);".utf8) : [byte]
            default: return entities.first { $0.byte == byte }?.name ?? [byte]
            }
        }
    }

    /// Whether an entity that was not resolved begins here.
    private static func beginsEntity(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = bytes.dropFirst().prefix(32).prefix { $0.isAlphanumeric || $0 == UInt8(ascii: "#") }
        return !name.isEmpty && name.endIndex < bytes.endIndex && bytes[name.endIndex] == UInt8(ascii: ";")
    }
}
