import Dispatch

/// Instants in nanoseconds of the clock that never goes back, and stands still while the machine sleeps.
package enum MonotonicTime {
    package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
