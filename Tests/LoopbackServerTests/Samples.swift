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

    /// One of the samples, changed by chance.
    static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        let all = wellFormed + malformed
        let sample = all[Int(random.next() % UInt64(all.count))]
        return random.mutated(sample)
    }
}
