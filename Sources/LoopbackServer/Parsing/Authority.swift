internal import Bytes
import Foundation
import WebSocketFrames

extension StringProtocol {
    /// Whether this is a host, and perhaps a port. A user is not part of either, and a comma is that of a list: of several fields that
    /// became one.
    ///
    /// Source: [RFC 9110, 7.2](https://www.rfc-editor.org/rfc/rfc9110#section-7.2),
    /// [RFC 3986, 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2).
    var isHostAndPort: Bool {
        guard let port = utf8.first == UInt8(ascii: "[") ? utf8.afterAddress : utf8.afterName else { return false }
        return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy(\.isDigit)
    }
}

extension Collection<UInt8> {
    /// The bytes after an IPv6 address in brackets; `nil` if there is none.
    fileprivate var afterAddress: SubSequence? {
        guard let end = firstIndex(of: UInt8(ascii: "]")) else { return nil }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(decoding: self[..<end].dropFirst(), as: UTF8.self), &address) == 1 else { return nil }
        return self[end...].dropFirst()
    }

    /// The bytes after a name or an IPv4 address; `nil` if there is none.
    fileprivate var afterName: SubSequence? {
        var rest = self[...]
        while let byte = rest.first, byte != UInt8(ascii: ":") {
            rest.removeFirst()
            let isEscape = byte == UInt8(ascii: "%") && rest.popFirst()?.hexadecimalValue != nil && rest.popFirst()?.hexadecimalValue != nil
            guard isEscape || byte.isNameCharacter else { return nil }
        }
        return rest.startIndex == startIndex ? nil : rest
    }
}

extension UInt8 {
    /// A byte that is allowed in the name of a host.
    fileprivate var isNameCharacter: Bool { isAlphanumeric || "-._~!$&'()*+;=".utf8.contains(self) }
}
