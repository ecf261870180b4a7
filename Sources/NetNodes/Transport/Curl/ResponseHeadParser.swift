internal import Bytes

/// The reason why a head is not valid HTTP, although libcurl accepts it.
package struct MalformedHead: Error {
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// Assembles the header lines of a response, which libcurl delivers one at a time.
///
/// Source: [RFC 9112, 4 and 5](https://www.rfc-editor.org/rfc/rfc9112#name-status-line).
package struct ResponseHeadParser {
    package private(set) var status = 0
    package private(set) var headers = HTTPHeaders()
    package private(set) var isComplete = false
    private var isBetweenHeads = true
    private var size = 0

    package init() {}

    /// Consumes one line, unless all lines so far, those of interim responses and trailers included, are longer than the limit.
    mutating func consume(_ line: UnsafeRawBufferPointer, maximumSize limit: Int) throws(MalformedHead) -> Bool {
        size += line.count
        guard size <= limit else { throw MalformedHead(reason: "its header is longer than \(limit) bytes") }
        return try consume(line)
    }

    /// Consumes one line with its line break. Interim responses (1xx) and trailers are ignored.
    ///
    /// - Returns: whether this line completes the head.
    package mutating func consume(_ line: UnsafeRawBufferPointer) throws(MalformedHead) -> Bool {
        guard !isComplete else { return false }
        let text = UnsafeRawBufferPointer(rebasing: line.trimming(\.isLineEnd))
        if isBetweenHeads {
            try begin(with: text)
            return false
        }
        guard let first = text.first else { return try endHead() }
        if first.isBlank {
            headers.continueLast(with: text.value(of: headers.last?.name ?? ""))
            return false
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = String(decoding: UnsafeRawBufferPointer(rebasing: text[..<colon]), as: UTF8.self)
        headers.append(name, UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).value(of: name))
        return false
    }

    private mutating func begin(with statusLine: UnsafeRawBufferPointer) throws(MalformedHead) {
        guard let status = statusLine.statusCode else { throw MalformedHead(reason: "it does not begin with a status line") }
        self.status = status
        headers = HTTPHeaders()
        headers.reserveCapacity(16)
        isBetweenHeads = false
    }

    private mutating func endHead() throws(MalformedHead) -> Bool {
        do throws(MessageFault) { try headers.checkBodyLength() } catch { throw MalformedHead(reason: error.reason) }
        isBetweenHeads = true
        isComplete = status >= 200 || status == 101
        return isComplete
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the value of a field, without surrounding blanks.
    fileprivate func value(of name: String) -> String { HeaderText.value(withoutBlanks, of: name) }

    /// The three digits after the first blank of a status line, from 100 on; `nil` if the line is no status line.
    fileprivate var statusCode: Int? {
        guard count > 5, prefix(5).elementsEqual("HTTP/".utf8), let blank = firstIndex(of: 0x20) else { return nil }
        let digits = self[(blank + 1)...].prefix { $0 != 0x20 }
        guard digits.count == 3, digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0") else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
    }
}
