import Synchronization

/// The least work of a thread-safe push of one value: one uncontended compare-and-swap pair, and one closure call through an
/// optional. Rows are given as multiples of it, which makes runs on a noisy machine comparable.
struct Floor: ~Copyable {
    private let word = Atomic<Int>(0)
    private let handler: (@Sendable (Int) -> Void)?

    init(_ sink: Sink) {
        handler = opaque { @Sendable value in sink.take(value) }
    }

    func run(_ operations: Int) {
        for index in 0..<operations {
            guard word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged else { return }
            handler?(index)
            _ = word.compareExchange(expected: 1, desired: 0, ordering: .releasing)
        }
    }
}
