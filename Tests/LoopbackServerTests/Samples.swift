import StreamsTesting
import TestSupport

@testable import LoopbackServer

/// Requests to parse: the start of every mutation.
enum Samples {
    static let wellFormed = short(where: { $0 == .served })
    static let malformed = short(where: { if case .refused = $0 { true } else { false } })

    private static func short(where isWanted: (RequestSample.Answer) -> Bool) -> [[UInt8]] {
        RequestSample.all.filter { isWanted($0.answer) && $0.text.utf8.count < 1_000 }.map { Array($0.text.utf8) }
    }

    /// One of the samples with a few bytes changed, left out, doubled or put in.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        let all = wellFormed + malformed
        var bytes = all[Int(random.next() % UInt64(all.count))]
        for _ in 0..<(random.next() % 6) where !bytes.isEmpty {
            let position = Int(random.next() % UInt64(bytes.count))
            switch random.next() % 4 {
            case 0: bytes[position] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(Array("\r\n :;0f".utf8)[Int(random.next() % 7)], at: position)
            default: bytes.insert(contentsOf: bytes[position...].prefix(20), at: position)
            }
        }
        return bytes
    }
}
