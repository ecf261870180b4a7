extension Duration {
    /// The duration in whole nanoseconds, rounded towards zero and clamped to the range of `Int64` (292 years).
    package var nanoseconds: Int64 {
        wholeNanoseconds.count
    }

    /// The duration clamped to an `Int64` of nanoseconds, so that adding it to a scheduler's time does not overflow.
    @usableFromInline package var clamped: Duration {
        min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max))
    }

    /// Creates a duration of seconds, clamped like `clamped`; `nan` is zero.
    package init(clampingSeconds seconds: Double) {
        let longest = Double(Int64.max / 1_000_000_000)
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -longest), longest))
    }

    /// The time in nanoseconds at which this duration has passed since `now`, rounded up to whole nanoseconds.
    ///
    /// A time outside the range of `Int64` is `Int64.max`, which is never reached.
    func deadline(from now: Int64) -> Int64 {
        let (count, isRest) = wholeNanoseconds
        let (sum, overflow) = now.addingReportingOverflow(max(0, count))
        guard !overflow, sum < .max else { return .max }
        return isRest && count >= 0 ? sum + 1 : sum
    }

    /// Returns the next time of a schedule that begins at this time and repeats every `period`: at least one period later, and not before
    /// `now`.
    func next(every period: Duration, after now: Duration) -> Duration {
        let late = now - self
        guard late >= period else { return self + period }
        // A clock that jumps may have skipped more runs than can be counted.
        return self + period * (Int(min(late / period, 1e18)) + 1)
    }

    private var wholeNanoseconds: (count: Int64, isRest: Bool) {
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard let count = Int64(exactly: whole) else { return (whole < 0 ? .min : .max, false) }
        return (count, rest > 0)
    }
}

extension Duration {
    /// A duration of minutes, clamped to the range of an `Int64` of seconds.
    public static func minutes(_ count: some BinaryInteger) -> Duration { seconds(count, each: 60) }

    /// A duration of hours, clamped to the range of an `Int64` of seconds.
    public static func hours(_ count: some BinaryInteger) -> Duration { seconds(count, each: 3_600) }

    private static func seconds(_ count: some BinaryInteger, each: Int64) -> Duration {
        let (seconds, isTooLarge) = Int64(clamping: count).multipliedReportingOverflow(by: each)
        return .seconds(isTooLarge ? (count < 0 ? .min : .max) : seconds)
    }
}
