/// Puts the header lines of a response together. libcurl has checked each line and hands it over whole.
struct ResponseHeadParser {
    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false

    /// Takes one line with its line break. Interim responses (1xx) are passed over, trailers after the head are ignored.
    ///
    /// - Returns: whether this line completed the head.
    mutating func consume(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isComplete else { return false }
        let text = line.trimmingLineBreak
        if text.isEmpty { return endOfHead() }
        if text.starts(with: "HTTP/".utf8) {
            self = ResponseHeadParser()
            status = statusCode(of: text)
            return false
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let value = text[(colon + 1)...].trimmingBlanks
        headers.append(String(decoding: text[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        return false
    }

    private mutating func endOfHead() -> Bool {
        isComplete = status >= 200 || status == 101
        return isComplete
    }

    private func statusCode(of line: Slice<UnsafeRawBufferPointer>) -> Int {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var trimmingLineBreak: Slice<UnsafeRawBufferPointer> {
        var line = self[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line.removeLast() }
        return line
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var trimmingBlanks: Slice<UnsafeRawBufferPointer> {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
