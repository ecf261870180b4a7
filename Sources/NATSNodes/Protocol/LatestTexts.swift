import Foundation

/// The latest texts: most subjects of a connection are among the previous ones, and need no memory of their own.
///
/// A short text needs no memory anyway, and a very long one is not kept.
struct LatestTexts: Sendable {
    private static let kept = 16...128
    private static let slotCount = 256

    private var slots: [String] = []

    mutating func text(_ bytes: UnsafeRawBufferPointer) -> String {
        guard Self.kept.contains(bytes.count) else { return String(decoding: bytes, as: UTF8.self) }
        if slots.isEmpty { slots = Array(repeating: "", count: Self.slotCount) }
        let slot = Self.slot(of: bytes)
        if slots[slot].isEqual(to: bytes) { return slots[slot] }
        let text = String(decoding: bytes, as: UTF8.self)
        slots[slot] = text
        return text
    }

    /// Computes the slot from the length and both ends, where subjects differ.
    private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
        let first = bytes.loadUnaligned(as: UInt64.self)
        let last = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        let mixed = (first &+ last &* 31 &+ UInt64(bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 56)
    }
}

extension String {
    fileprivate func isEqual(to bytes: UnsafeRawBufferPointer) -> Bool {
        utf8.withContiguousStorageIfAvailable { own in
            guard own.count == bytes.count, let start = own.baseAddress, let other = bytes.baseAddress else { return false }
            return memcmp(start, other, own.count) == 0
        } ?? false
    }
}
