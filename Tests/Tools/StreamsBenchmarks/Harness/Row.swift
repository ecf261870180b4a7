/// The measurements of one case.
struct Row {
    let name: String
    let kind: Chapter.Kind
    /// In floors.
    let limit: Double?
    let allocationLimit: Double?
    let liveBytesLimit: Int?
    /// Nanoseconds an operation: the median and the minimum of the runs.
    let median: Double
    let minimum: Double
    /// Nanoseconds of a floor, measured between the runs.
    let floor: Double
    /// Whether that is a floor, and not an operation of the row's own unit.
    let isInFloors: Bool
    /// Allocations an operation; nil where they cannot be counted.
    let allocations: Double?
    /// Bytes that a set-up holds after a run; nil where they cannot be counted.
    let liveBytes: Int?
    /// Whether the expected number of values reached the sink.
    let isComplete: Bool

    let isJudgedByMedian: Bool

    var floors: Double { (isJudgedByMedian ? median : minimum) / floor }

    /// Whether the row is within 10 % of its limits of time and of live bytes, and within that of allocations; nil where it has none.
    var isReached: Bool? {
        guard limit != nil || liveBytesLimit != nil else { return nil }
        return isComplete && floors <= (limit ?? .infinity) * 1.1 && isSmall
    }

    /// Whether the limits of memory are kept. An allocation now and then, as of a buffer that grows, does not count.
    private var isSmall: Bool {
        (allocations ?? 0) <= (allocationLimit ?? .infinity) + 0.05
            && Double(liveBytes ?? 0) <= liveBytesLimit.map { Double($0) * 1.1 } ?? .infinity
    }
}
