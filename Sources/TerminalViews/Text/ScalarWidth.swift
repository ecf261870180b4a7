extension Unicode.Scalar {
    /// The number of columns of the scalar on its own: 0, 1 or 2.
    ///
    /// Source: [UAX #11, East Asian Width](https://www.unicode.org/reports/tr11/): wide and fullwidth are 2, all else 1; marks that
    /// combine, vowels and finals that join a Hangul syllable, and invisible format characters are 0. O(log n) in the number of wide
    /// ranges.
    var columns: Int {
        if value < 0x300 { return isControl ? 0 : 1 }
        // Box drawing and block elements, which views draw most.
        if (0x2500...0x25A0).contains(value) { return 1 }
        if isWide || properties.isEmojiPresentation { return 2 }
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) || isFiller { return 0 }
        if isPrepended { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .lineSeparator, .paragraphSeparator: return 0
        default: return 1
        }
    }

    package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

    /// Whether the scalar precedes its letter in the same cluster, and takes a column of its own.
    ///
    /// Source: [UAX #29, Prepend](https://www.unicode.org/reports/tr29/#Prepend).
    package var isPrepended: Bool {
        guard value >= 0x600 else { return false }
        switch value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0xD4E, 0x110BD, 0x110CD, 0x111C2...0x111C3, 0x113D1, 0x1193F, 0x11941,
            0x11A3A, 0x11A84...0x11A89, 0x11D46, 0x11F02:
            return true
        default: return false
        }
    }

    /// Whether the scalar represents an omitted part of a Hangul syllable.
    private var isFiller: Bool { value == 0x3164 || value == 0xFFA0 }

    private var isWide: Bool {
        guard value >= 0x1100 else { return false }
        var low = 0
        var high = Self.wideRanges.count
        while low < high {
            let middle = (low + high) / 2
            let range = Self.wideRanges[middle]
            if range.contains(value) { return true }
            if value < range.lowerBound { high = middle } else { low = middle + 1 }
        }
        return false
    }

    /// Wide and fullwidth ranges in ascending order, without those implied by emoji presentation.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x3029, 0x3030...0x303E, 0x3041...0x3096,
        0x309B...0x3163, 0x3165...0x3247, 0x3250...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x16FE3,
        0x17000...0x18D08, 0x1AFF0...0x1B2FF, 0x1D300...0x1D356, 0x1D360...0x1D376, 0x1F200...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248,
        0x1F250...0x1F251, 0x1F260...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
