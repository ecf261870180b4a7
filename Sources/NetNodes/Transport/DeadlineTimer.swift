import Dispatch

/// One Dispatch timer for any number of deadlines. It is only moved to an earlier time, never to a later one: it may fire too early, and
/// whoever is called then asks for the next deadline. Sequences of short requests therefore hardly ever touch the timer.
///
/// Confined to the queue that it fires on.
final class DeadlineTimer {
    private let source: any DispatchSourceTimer
    private var armedFor = UInt64.max

    init(queue: DispatchQueue, onFire: @escaping () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        let action = ConfinedAction(onFire).run
        source.setEventHandler(handler: action)
        source.activate()
    }

    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Fires at the deadline, in nanoseconds of `now`, or earlier.
    func arm(_ deadline: UInt64) {
        guard deadline < armedFor else { return }
        armedFor = deadline
        source.schedule(deadline: DispatchTime(uptimeNanoseconds: deadline), leeway: .nanoseconds(0))
    }

    /// To be called when the timer has fired.
    func hasFired() {
        armedFor = .max
    }

    func cancel() {
        source.cancel()
    }
}

extension UInt64 {
    /// This point of time and so much later; never past the end of time.
    func advanced(by duration: Duration) -> UInt64 {
        let nanoseconds = UInt64(duration.wholeMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        let sum = addingReportingOverflow(nanoseconds.partialValue)
        return nanoseconds.overflow || sum.overflow ? .max - 1 : sum.partialValue
    }
}
