/// Numbers over time, the newest last, of which only so many are kept. `nan` stands for a gap.
public struct Series: Hashable, Sendable, ExpressibleByArrayLiteral {
    public private(set) var values: [Double]
    /// How many numbers are kept.
    public let capacity: Int
    /// How many numbers there have been.
    private var total: Int

    /// No numbers yet.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        values = []
        total = 0
    }

    /// Just these numbers.
    public init(_ values: [Double]) {
        self.values = values
        capacity = max(1, values.count)
        total = values.count
    }

    public init(arrayLiteral elements: Double...) {
        self.init(elements)
    }

    /// Adds the newest number; the oldest goes where there are too many. O(capacity).
    public mutating func append(_ value: Double) {
        if values.count == capacity { values.removeFirst() }
        values.append(value)
        total += 1
    }

    /// All numbers in at most so many steps, each the mean of its numbers.
    ///
    /// Steps keep their numbers while new ones come, so that a picture of them moves to the left and does not shimmer. O(numbers).
    public func steps(_ count: Int) -> [Double] {
        guard count > 0, !values.isEmpty else { return [] }
        let length = (values.count + count - 1) / count
        guard length > 1 else { return values }
        let first = total - values.count
        var steps: [(sum: Double, count: Int)] = []
        for (index, value) in values.enumerated() {
            if index == 0 || (first + index).isMultiple(of: length) { steps.append((0, 0)) }
            guard value.isFinite else { continue }
            steps[steps.count - 1].sum += value
            steps[steps.count - 1].count += 1
        }
        return steps.suffix(count).map { $0.count > 0 ? $0.sum / Double($0.count) : .nan }
    }
}
