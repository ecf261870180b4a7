extension Duration {
    /// This in whole nanoseconds, rounded towards zero, cut to what an `Int64` holds (292 years).
    package var nanoseconds: Int64 {
        wholeNanoseconds.count
    }

    /// This, cut to what an `Int64` of nanoseconds holds: what is added to a scheduler's time does not overflow then.
    package var clamped: Duration {
        min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max))
    }

    /// So many seconds, cut like `clamped`; `nan` is zero.
    package init(clampingSeconds seconds: Double) {
        let longest = Double(Int64.max / 1_000_000_000)
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -longest), longest))
    }

    /// The time in nanoseconds at which this has passed since `now`, never before it: parts of a nanosecond count as a whole one.
    ///
    /// A time that an `Int64` does not hold is `Int64.max`, which never comes.
    func deadline(from now: Int64) -> Int64 {
        let (count, isRest) = wholeNanoseconds
        let (sum, overflow) = now.addingReportingOverflow(max(0, count))
        guard !overflow, sum < .max else { return .max }
        return isRest && count >= 0 ? sum + 1 : sum
    }

    private var wholeNanoseconds: (count: Int64, isRest: Bool) {
        // `components` holds no more than an `Int64` of seconds.
        let (seconds, attoseconds) = clamped.components
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let (count, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLarge) = count.addingReportingOverflow(whole)
        guard !overflow, !isTooLarge else { return (seconds < 0 ? .min : .max, false) }
        return (sum, rest > 0)
    }
}
