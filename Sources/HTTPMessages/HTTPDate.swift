internal import Bytes
import Foundation

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` in any order and with any delimiters, as browsers do; returns `nil` for a text
/// without a day, a month, a year and a time, or with a date that does not exist. The time zone is ignored: it is always UTC.
///
/// Source: [RFC 6265, 5.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1).
package func httpDate(_ text: String) -> Date? {
    var parts = DateParts()
    for token in text.utf8.split(whereSeparator: \.isDateDelimiter) { parts.read(token) }
    return parts.date
}

/// The parts of a date that were found so far; the first of each kind counts.
private struct DateParts {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private var time: [Int32]?
    private var day: Int32?
    private var month: Int32?
    private var year: Int32?

    /// Reads a token as the first part that is still missing and that it can be.
    mutating func read(_ token: Substring.UTF8View) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil {
            year = Self.number(token, digits: 2...4)
        }
    }

    var date: Date? {
        guard let time, let day, let month, var year else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard year >= 1601, (1...31).contains(day), time[0] < 24, time[1] < 60, time[2] < 60 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1900, month, day)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time[0], time[1], time[2])
        let seconds = timegm(&parts)
        // A 31st that a month does not have became the first of the next one.
        return parts.tm_mday == day ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
    }

    /// Returns hours, minutes and seconds, each of one or two digits.
    private static func time(_ token: Substring.UTF8View) -> [Int32]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(\.isDigit), fields[1].allSatisfy(\.isDigit),
            let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        return [hour, minute, second]
    }

    private static func month(_ token: Substring.UTF8View) -> Int32? {
        months.firstIndex(of: String(Substring(token.prefix(3))).lowercased()).map { Int32($0) }
    }

    /// Returns the number with which a token begins, if it has so many digits; anything but a digit may follow.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int32? {
        let number = token.prefix(while: \.isDigit)
        return digits.contains(number.count) ? Int32(Substring(number)) : nil
    }
}

extension UInt8 {
    fileprivate var isDateDelimiter: Bool {
        switch self {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
