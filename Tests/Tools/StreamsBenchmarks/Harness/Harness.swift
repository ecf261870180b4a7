import CAllocationCounter
import Foundation

/// Measures cases: a floor between any two runs of a case, allocations in a pass of their own, so that counting costs the timing nothing.
struct Harness {
    /// How many runs are timed at least.
    let runs: Int
    /// For how long runs are timed at least: longer than a neighbour on the same core is busy at a time.
    let duration: Duration

    private static let floorOperations = 20_000

    func measure(_ subject: Case, kind: Chapter.Kind) -> Row {
        let sink = Sink()
        let floor = Floor(Sink())
        let (clock, unit) = (subject.unit.clock, subject.unit.prepare?(Sink()))
        let counts = countAllocations(of: subject)
        let workload = subject.prepare(sink)
        workload(subject.operations)
        var isComplete = delivered(sink, by: subject)
        var times: [Double] = []
        var floors: [Double] = []
        let start = ContinuousClock.now
        while times.count < runs || ContinuousClock.now - start < duration {
            floors.append(
                unit.map { unit in nanoseconds(clock) { unit(subject.operations) } / Double(subject.operations) }
                    ?? nanoseconds(.wall) { floor.run(Self.floorOperations) } / Double(Self.floorOperations))
            times.append(nanoseconds(clock) { workload(subject.operations) } / Double(subject.operations))
            isComplete = delivered(sink, by: subject) && isComplete
        }
        return Row(
            name: subject.name, kind: kind, limit: subject.limit, allocationLimit: subject.allocationLimit,
            liveBytesLimit: subject.liveBytesLimit, median: times.sorted()[times.count / 2], minimum: times.min() ?? 0,
            floor: floors.min() ?? 0, isInFloors: unit == nil, allocations: counts?.perOperation, liveBytes: counts?.liveBytes,
            isComplete: isComplete, isJudgedByMedian: subject.isJudgedByMedian)
    }

    /// Counts the second run of a set-up: the first fills what is kept from run to run. What the runtime keeps for good is made before.
    private func countAllocations(of subject: Case) -> (perOperation: Double, liveBytes: Int)? {
        guard allocation_counter_is_available() else { return nil }
        let sink = Sink()
        subject.prepare(sink)(subject.operations)
        allocation_counter_start()
        let workload = subject.prepare(sink)
        workload(subject.operations)
        let before = allocation_counter_allocations()
        workload(subject.operations)
        let allocations = allocation_counter_allocations() - before
        let liveBytes = allocation_counter_live_bytes()
        allocation_counter_stop()
        // Other threads may still free what they had before.
        return withExtendedLifetime(workload) {
            (Double(allocations) / Double(subject.operations), max(0, Int(liveBytes)) / subject.instances)
        }
    }

    private func delivered(_ sink: Sink, by subject: Case) -> Bool {
        sink.takeCount() == Int(Double(subject.operations) * subject.deliveries)
    }

    private func nanoseconds(_ clock: Case.Unit.Clock, _ body: () -> Void) -> Double {
        guard clock == .processor else { return ContinuousClock().measure(body) / .nanoseconds(1) }
        let start = processorNanoseconds()
        body()
        return Double(processorNanoseconds() - start)
    }

    private func processorNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
