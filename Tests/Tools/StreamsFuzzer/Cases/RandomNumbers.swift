import StreamsTesting

/// The fuzzer's random numbers (SplitMix64): the same seed gives the same pipelines on every machine and with every toolchain.
struct RandomNumbers {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        var first = SeededGenerator(seed: seed)
        // Adjacent seeds would otherwise give the same numbers, one later.
        generator = SeededGenerator(seed: first.next())
    }

    mutating func next() -> UInt64 {
        generator.next()
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
