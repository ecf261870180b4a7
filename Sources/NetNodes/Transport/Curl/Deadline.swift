import Dispatch

/// Points of time in nanoseconds of a clock that never goes back; `UInt64.max` is never.
package enum Deadline {
    package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}

extension UInt64 {
    /// This point of time and so much later; never past the end of time.
    package func advanced(by duration: Duration) -> UInt64 {
        let nanoseconds = UInt64(duration.wholeMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        let sum = addingReportingOverflow(nanoseconds.partialValue)
        return nanoseconds.overflow || sum.overflow ? .max - 1 : sum.partialValue
    }
}
