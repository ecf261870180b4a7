internal import Bytes

/// The lines of a head.
///
/// Source: [RFC 9112, 3](https://www.rfc-editor.org/rfc/rfc9112#section-3), [4](https://www.rfc-editor.org/rfc/rfc9112#section-4).
extension MessageHead {
    /// Parses `GET /path HTTP/1.1`.
    init(requestLine line: UnsafeRawBufferPointer) throws(MessageFault) {
        guard let first = line.firstIndex(of: .space), let second = line[(first + 1)...].firstIndex(of: .space) else {
            throw .malformed("the request line is not a method, a target and a version")
        }
        let (name, target) = (line.part(0, first), line.part(first + 1, second))
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .malformed("the method is not a token") }
        guard target.allSatisfy({ $0.isTargetByte }) else { throw .malformed("the target has a character that must be escaped") }
        let version = line.part(second + 1, line.count)
        guard let minorVersion = version.minorVersion else {
            throw version.isVersion ? .unknownVersion : .malformed("the version is not HTTP/1.0 or HTTP/1.1")
        }
        let method = name.asciiText
        let path = try Self.originForm(target, method)
        self.init(.request(method: method, target: path), minorVersion: minorVersion, namesHost: target.first?.isLetter == true)
    }

    /// Parses `HTTP/1.1 200 OK`. The reason may be missing, with its blank, as many servers leave it out.
    init(statusLine line: UnsafeRawBufferPointer) throws(MessageFault) {
        guard line.count >= 12, let version = line.part(0, 8).minorVersion, line[8] == .space, let status = line.status(at: 9),
            line.count == 12 || line[12] == .space
        else { throw .malformed("it does not begin with a status line") }
        guard line[12...].allSatisfy({ $0.isFieldValueByte }) else { throw .malformed("its reason has a control character") }
        self.init(.response(status: status), minorVersion: version)
    }

    /// Returns the path of an absolute target such as `http://host/path`, which clients send to proxies.
    private static func originForm(_ target: UnsafeRawBufferPointer, _ method: String) throws(MessageFault) -> String {
        if target.first == UInt8(ascii: "/") || method == "OPTIONS" && target.elementsEqual("*".utf8) { return target.asciiText }
        guard let host = target.rangeOfHost else { throw .malformed("the target is neither a path nor a URL") }
        guard target.part(host.lowerBound, host.upperBound).isHostAndPort else {
            throw .malformed("the target's host is not a host, or a host and a port")
        }
        let path = target.part(host.upperBound, target.count).asciiText
        return path.hasPrefix("/") ? path : "/" + path
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var minorVersion: Int? {
        guard count == 8, starts(with: "HTTP/1.".utf8), self[7] == UInt8(ascii: "0") || self[7] == UInt8(ascii: "1") else { return nil }
        return Int(self[7] - UInt8(ascii: "0"))
    }

    /// Whether this is the version of another HTTP.
    fileprivate var isVersion: Bool {
        count == 8 && starts(with: "HTTP/".utf8) && self[5].isDigit && self[6] == UInt8(ascii: ".") && self[7].isDigit
    }

    /// The number of three digits, from 100 on.
    fileprivate func status(at start: Int) -> Int? {
        let digits = self[start..<(start + 3)]
        guard digits.allSatisfy({ $0.isDigit }), digits.first != UInt8(ascii: "0") else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The place between `http://` and the path or the query; `nil` if this is not the URL of a resource on the web.
    fileprivate var rangeOfHost: Range<Int>? {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].starts(with: "://".utf8) else { return nil }
        guard ["http", "https"].contains(where: part(0, colon).asciiText.equalsIgnoringASCIICase) else { return nil }
        let end = self[(colon + 3)...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        return (colon + 3)..<(end ?? count)
    }
}

extension HTTPHeaders.Field {
    /// Parses `Name: value`.
    init(line: UnsafeRawBufferPointer) throws(MessageFault) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a line of the header has no colon") }
        let name = line.part(0, colon)
        guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .malformed("a header name is not a token") }
        let text = name.asciiText
        self.init(name: text, value: try Self.value(line.part(colon + 1, line.count), of: text))
    }

    static func value(_ bytes: UnsafeRawBufferPointer, of name: String) throws(MessageFault) -> String {
        guard bytes.allSatisfy({ $0.isFieldValueByte }) else { throw .malformed("a header value has a control character") }
        return HeaderText.value(bytes.withoutBlanks, of: name)
    }
}
