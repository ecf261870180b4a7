extension RandomNumberGenerator {
    /// Returns the bytes of a sample with up to five places changed, left out, doubled or put in.
    public mutating func mutated(_ sample: [UInt8]) -> [UInt8] {
        var bytes = sample
        for _ in 0..<(next() % 6) where !bytes.isEmpty {
            let position = Int(next() % UInt64(bytes.count))
            switch next() % 4 {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(Array("\r\n :;0f".utf8)[Int(next() % 7)], at: position)
            default: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
            }
        }
        return bytes
    }
}
