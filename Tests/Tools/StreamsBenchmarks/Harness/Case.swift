/// One row: a set-up, and a workload that does so many operations and sends the output into the sink.
struct Case {
    /// Does the given number of operations.
    typealias Workload = (_ operations: Int) -> Void

    /// The clock of a row, and its unit.
    struct Unit {
        enum Clock {
            case wall
            /// The processor time of the whole process: for what mostly waits.
            case processor
        }

        var clock = Clock.wall
        /// A workload whose operations take the place of floors; nil for floors.
        var prepare: ((Sink) -> Workload)?
    }

    let name: String
    /// How many floors, or operations of its unit, an operation may cost; nil where the row is there to compare with.
    var limit: Double?
    /// How many allocations an operation may make; nil where nobody asks.
    var allocationLimit: Double?
    /// How many bytes each of `instances` may hold; nil where nobody asks.
    var liveBytesLimit: Int?
    /// How many equal set-ups `prepare` makes, among which the live bytes are divided.
    var instances = 1
    /// Whether the row is judged by the median and not by the minimum: two threads that happen not to meet are no measurement of their meeting.
    var isJudgedByMedian = false
    var unit = Unit()
    /// How many operations one run does: few, so that some runs are not disturbed by what else the machine does.
    var operations = 20_000
    /// How many values reach the sink for each operation: the check that the work was done.
    var deliveries = 1.0
    /// Makes the workload; what it captures lives as long as the measurement.
    let prepare: (Sink) -> Workload
}

/// Rows that belong together.
struct Chapter {
    /// The kind of its rows in the report.
    enum Kind {
        /// The rows that `--check` looks at.
        case core
        case further
        case baseline
        case growth
    }

    let title: String
    let kind: Kind
    let cases: [Case]
}
