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
        let text = line.trimmed { $0 == 0x0D || $0 == 0x0A }
        if text.isEmpty { return endOfHead() }
        if text.isStatusLine {
            self = ResponseHeadParser()
            headers.reserveCapacity(16)
            status = text.statusCode
            return false
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let name = UnsafeRawBufferPointer(rebasing: text[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmed { $0 == 0x20 || $0 == 0x09 }
        headers.append(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return false
    }

    private mutating func endOfHead() -> Bool {
        isComplete = status >= 200 || status == 101
        return isComplete
    }
}

extension UnsafeRawBufferPointer {
    /// Without the bytes at its ends that are to go.
    fileprivate func trimmed(_ isBlank: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, isBlank(self[start]) { start += 1 }
        while start < end, isBlank(self[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }

    fileprivate var isStatusLine: Bool {
        count > 5 && self[4] == UInt8(ascii: "/") && prefix(4).elementsEqual("HTTP".utf8)
    }

    /// The three digits behind the first blank of a status line, 0 where there are none.
    fileprivate var statusCode: Int {
        let digits = drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix(3)
        guard digits.count == 3, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
    }
}
