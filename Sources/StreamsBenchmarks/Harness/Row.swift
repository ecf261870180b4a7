/// What was measured of one case.
struct Row {
    let name: String
    let kind: Chapter.Kind
    /// In floors.
    let limit: Double?
    /// Nanoseconds an operation: the median and the minimum of the runs.
    let median: Double
    let minimum: Double
    /// Nanoseconds of a floor, measured between the runs.
    let floor: Double
    /// Allocations an operation; nil where they cannot be counted.
    let allocations: Double?
    /// Bytes that the set-up holds after a run; nil where they cannot be counted.
    let liveBytes: Int?
    /// Whether the expected number of values reached the sink.
    let isComplete: Bool

    var floors: Double { minimum / floor }

    /// Whether the row is within 10 % of its limit; nil where it has none.
    var isReached: Bool? {
        limit.map { isComplete && floors <= $0 * 1.1 }
    }
}
