import Dispatch

/// Instants in nanoseconds of a monotonic clock; `UInt64.max` is never reached.
package enum Deadline {
    package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension UInt64 {
    /// Returns this instant plus a duration, clamped to `.max`.
    package func advanced(by duration: Duration) -> UInt64 {
        let nanoseconds = UInt64(duration.wholeMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        let sum = addingReportingOverflow(nanoseconds.partialValue)
        return nanoseconds.overflow || sum.overflow ? .max - 1 : sum.partialValue
    }
}
