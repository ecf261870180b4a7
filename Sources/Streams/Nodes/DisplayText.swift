/// Durations and untrusted text in logs and error descriptions.
extension Duration {
    /// Whole milliseconds, rounded up, so that a short limit does not become zero.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow, whole < Int64.max - 1000 else { return seconds < 0 ? 0 : Int64.max / 1_000_000 }
        return max(0, whole + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    package var displayText: String {
        let milliseconds = wholeMilliseconds
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        guard milliseconds % 1000 != 0 else { return "\(milliseconds / 1000) s" }
        return "\(Double(milliseconds) / 1000) s"
    }
}

extension StringProtocol {
    /// This text with control characters escaped, safe to show on a terminal.
    package var controlsEscaped: String {
        guard unicodeScalars.contains(where: \.isControl) else { return String(self) }
        return unicodeScalars.map { $0.isControl ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// This text truncated, with control characters escaped.
    package var escapedForDisplay: String {
        String(self).excerpt(120).controlsEscaped
    }
}

extension String {
    /// Returns the text if it is short, and otherwise its beginning with an ellipsis: at most `characters` characters, in at most four
    /// times as many bytes.
    ///
    /// Untrusted text is shortened where it arrives, by this function or to a number of scalars: a single character can have megabytes of
    /// combining marks, which take quadratic time to compare or to hash. O(characters), however long the text is.
    package func excerpt(_ characters: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: characters * 4, limitedBy: endIndex) ?? endIndex
        // The cut must not be in the middle of a scalar.
        while end < endIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        let beginning = self[..<end]
        let kept = beginning.prefix(characters)
        return kept.endIndex == endIndex ? self : kept + "…"
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
