/// The fuzzer's own random numbers (SplitMix64): the same seed gives the same pipelines on every machine and with every toolchain.
struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
        // Neighbours among the seeds would else give the same numbers, one later.
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number of the range.
    mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True in one case of `count`.
    mutating func once(in count: Int) -> Bool {
        number(in: 1...count) == 1
    }

    /// One of the elements; there is at least one.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(in: 0...elements.count - 1)]
    }
}
