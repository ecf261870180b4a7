import Foundation

/// Unpredictable masking keys, fetched from the system many at a time.
struct MaskKeys {
    private static let batchSize = 64

    private var keys: [UInt32] = []

    mutating func next() -> UInt32 {
        if keys.isEmpty { refill() }
        return keys.removeLast()
    }

    private mutating func refill() {
        keys = Array(repeating: 0, count: Self.batchSize)
        let isFilled = keys.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) == 0 }
        if !isFilled { keys = keys.map { _ in .random(in: .min ... .max) } }
    }
}
