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
