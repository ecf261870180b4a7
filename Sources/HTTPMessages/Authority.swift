internal import Bytes
import Foundation

extension UnsafeRawBufferPointer {
    /// Whether this is a host, and perhaps a port. A user is not part of either, and a comma is that of a list: of several fields that
    /// became one.
    ///
    /// Source: [RFC 9110, 7.2](https://www.rfc-editor.org/rfc/rfc9110#section-7.2),
    /// [RFC 3986, 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2).
    var isHostAndPort: Bool {
        guard let end = first == UInt8(ascii: "[") ? endOfAddress : endOfName else { return false }
        return end == count || self[end] == UInt8(ascii: ":") && self[(end + 1)...].allSatisfy { $0.isDigit }
    }

    /// The position after an IPv6 address in brackets; `nil` if there is none.
    private var endOfAddress: Int? {
        guard let end = firstIndex(of: UInt8(ascii: "]")) else { return nil }
        var address = in6_addr()
        return inet_pton(AF_INET6, part(1, end).asciiText, &address) == 1 ? end + 1 : nil
    }

    /// The position after a name or an IPv4 address; `nil` if there is none.
    private var endOfName: Int? {
        var position = 0
        while position < count, self[position] != UInt8(ascii: ":") {
            let isEscape =
                self[position] == UInt8(ascii: "%") && self[(position + 1)...].prefix(2).count { $0.hexadecimalValue != nil } == 2
            guard isEscape || self[position].isHostByte else { return nil }
            position += isEscape ? 3 : 1
        }
        return position > 0 ? position : nil
    }
}

extension UInt8 {
    /// Whether the byte may stand in the name of a host as it is.
    fileprivate var isHostByte: Bool { isAlphanumeric || "-._~!$&'()*+;=".utf8.contains(self) }
}
