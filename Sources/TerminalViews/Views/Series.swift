/// A bounded series of numbers over time, the newest last. `nan` represents a gap.
public struct Series: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The values, the oldest first.
    public private(set) var values: [Double]
    /// The maximum number of values.
    public let capacity: Int
    /// The number of values appended so far.
    private var total: Int

    /// Creates an empty series.
    public init(capacity: Int) {
        self.capacity = max(1, capacity)
        values = []
        total = 0
    }

    /// Creates a series of these values.
    public init(_ values: [Double]) {
        self.values = values
        capacity = max(1, values.count)
        total = values.count
    }

    public init(arrayLiteral elements: Double...) {
        self.init(elements)
    }

    /// Appends a value and drops the oldest if the series is full. O(capacity).
    public mutating func append(_ value: Double) {
        if values.count == capacity { values.removeFirst() }
        values.append(value)
        total += 1
    }

    /// Returns all values in at most `count` steps, each the mean of its values.
    ///
    /// A value stays in its step while new ones are appended, so that a chart scrolls to the left without flickering. O(values).
    public func steps(_ count: Int) -> [Double] {
        guard count > 0, !values.isEmpty else { return [] }
        let length = (values.count - 1) / count + 1
        guard length > 1 else { return values }
        let first = total - values.count
        let starts = values.indices.filter { $0 == 0 || (first + $0).isMultiple(of: length) }
        let steps = zip(starts, starts.dropFirst() + [values.count]).map { values[$0..<$1] }
        return steps.suffix(count).map(Self.mean)
    }

    /// The mean of the finite values, even if their sum overflows `Double`; `nan` if there is none.
    private static func mean(_ values: ArraySlice<Double>) -> Double {
        let finite = values.filter(\.isFinite)
        let count = Double(finite.count)
        let sum = finite.reduce(0, +)
        return sum.isFinite ? sum / count : finite.reduce(0) { $0 + $1 / count }
    }
}
