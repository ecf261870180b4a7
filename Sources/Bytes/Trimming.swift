extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and tabs at either end.
    @inlinable package var trimmingBlanks: SubSequence { trimming { $0.isBlank } }

    /// Returns the bytes without unwanted ones at either end.
    ///
    /// Complexity: O(n) in the unwanted bytes.
    @inlinable
    package func trimming(_ isUnwanted: (UInt8) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isUnwanted($0) }), let last = lastIndex(where: { !isUnwanted($0) }) else {
            return self[endIndex...]
        }
        return self[first...last]
    }
}

extension UnsafeRawBufferPointer {
    /// A part of the bytes, with positions of its own.
    @inlinable
    package func part(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[start..<end]) }

    /// The bytes without spaces and tabs at either end, with positions of their own.
    @inlinable
    package var withoutBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return part(start, end)
    }
}
