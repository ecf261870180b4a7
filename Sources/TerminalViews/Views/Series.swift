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
        let length = (values.count - 1) / count + 1
        guard length > 1 else { return values }
        let first = total - values.count
        let starts = values.indices.filter { $0 == 0 || (first + $0).isMultiple(of: length) }
        let steps = zip(starts, starts.dropFirst() + [values.count]).map { values[$0..<$1] }
        return steps.suffix(count).map(Self.mean)
    }

    /// The mean of the finite numbers, also of such whose sum a `Double` cannot hold; `nan` if there is none.
    private static func mean(_ values: ArraySlice<Double>) -> Double {
        let finite = values.filter(\.isFinite)
        let count = Double(finite.count)
        let sum = finite.reduce(0, +)
        return sum.isFinite ? sum / count : finite.reduce(0) { $0 + $1 / count }
    }
}
