internal import Bytes
import Foundation

extension URL {
    /// Makes an absolute URL from outside text: an argument, a route, the location of a redirect. Returns `nil` if the text is no URL.
    ///
    /// Characters that a URL cannot have are escaped, as in browsers and curl, and existing escapes stay. Foundation alone would escape
    /// every `%` of a part again if it had to escape anything in it. A `%` that begins no escape becomes `%25`. Like curl, this accepts one
    /// to three slashes after `http:`, and a colon in the first segment of a relative path.
    ///
    /// Complexity: O(n) in the length of the text.
    ///
    /// - Parameter base: the URL against which a relative reference is resolved.
    package init?(lenient text: String, relativeTo base: URL? = nil) {
        guard let url = URL(string: LenientAddress(text, isRelative: base != nil).text, relativeTo: base) else { return nil }
        self = url.absoluteURL
    }
}

/// The parts of a text that should be a URL.
///
/// Sources: [RFC 3986, 3](https://www.rfc-editor.org/rfc/rfc3986#section-3), [URL, 4.4](https://url.spec.whatwg.org/#url-parsing).
private struct LenientAddress {
    private var scheme = ""
    private var slashes = 0
    private var authority = Substring().utf8
    private var path = Substring().utf8
    private var query: Substring.UTF8View?
    private var fragment: Substring.UTF8View?

    init(_ text: String, isRelative: Bool) {
        var rest = text.utf8.trimming { $0 <= 0x20 }
        if let end = rest.firstIndex(where: { !$0.isSchemeByte }), rest[end] == UInt8(ascii: ":"), rest.first?.isLetter == true {
            scheme = String(Substring(rest[..<end]))
            rest = rest[end...].dropFirst()
        }
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[hash...].dropFirst()
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[mark...].dropFirst()
            rest = rest[..<mark]
        }
        slashes = rest.prefix { $0 == UInt8(ascii: "/") }.count
        if hasAuthority(isRelative: isRelative) {
            rest = rest.dropFirst(slashes)
            slashes = 2
            authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[authority.endIndex...]
        } else {
            slashes = 0
        }
        path = rest
    }

    private func hasAuthority(isRelative: Bool) -> Bool {
        let isWeb = scheme.isEmpty ? isRelative : ["http", "https", "ws", "wss"].contains(scheme.lowercased())
        return isWeb ? ((scheme.isEmpty ? 2 : 1)...3).contains(slashes) : slashes == 2
    }

    /// The text, completely escaped.
    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.count + 64)
        if !scheme.isEmpty { bytes += scheme.utf8 + [UInt8(ascii: ":")] }
        if slashes == 2 {
            bytes += "//".utf8
            let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...] } ?? authority
            bytes.append(escaping: authority[..<host.startIndex], except: "")
            // Foundation converts a name with other letters to the name that the DNS knows.
            bytes += host
        } else if scheme.isEmpty {
            // Text before a colon would be a scheme.
            if path.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")) { bytes += "./".utf8 }
        }
        bytes.append(escaping: path, except: "/@")
        // Foundation would take the last folder for a file.
        if scheme.isEmpty, path.endsWithDots { bytes.append(UInt8(ascii: "/")) }
        if let query {
            bytes.append(UInt8(ascii: "?"))
            bytes.append(escaping: query, except: "/@?")
        }
        if let fragment {
            bytes.append(UInt8(ascii: "#"))
            bytes.append(escaping: fragment, except: "/@?")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// The text with everything except the unreserved characters of RFC 3986 escaped, for a name or a value in a query or a form.
    package var percentEncoded: String {
        utf8.allSatisfy(\.isUnreserved) ? self : utf8.escaped(keeping: \.isUnreserved)
    }
}

extension [UInt8] {
    /// Appends a part of a URL. All characters that may not stand in any part are escaped, except for these.
    fileprivate mutating func append(escaping part: Substring.UTF8View, except allowed: StaticString) {
        var index = part.startIndex
        while index < part.endIndex {
            let byte = part[index]
            index = part.index(after: index)
            let isEscape = byte == UInt8(ascii: "%") && part[index...].prefix(2).count { $0.hexadecimalValue != nil } == 2
            if byte.isPartOfURL || isEscape || allowed.contains(byte) {
                append(byte)
            } else {
                append(escape: byte)
            }
        }
    }
}

extension StaticString {
    fileprivate func contains(_ byte: UInt8) -> Bool {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).contains(byte)
    }
}

extension Substring.UTF8View {
    /// Whether the last segment is `.` or `..`, which is a folder.
    fileprivate var endsWithDots: Bool {
        let last = reversed().prefix { $0 != UInt8(ascii: "/") }
        return (1...2).contains(last.count) && last.allSatisfy { $0 == UInt8(ascii: ".") }
    }
}

extension UInt8 {
    fileprivate var isSchemeByte: Bool { isAlphanumeric || "+-.".utf8.contains(self) }
    /// Whether the byte stands without an escape in each part of a URL.
    fileprivate var isPartOfURL: Bool { isUnreserved || "!$&'()*+,;=:".utf8.contains(self) }
}
