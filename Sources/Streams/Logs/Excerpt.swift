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
