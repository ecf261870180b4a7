/// Finds the fewest faults with which a seed still fails in the same way.
///
/// Source: [Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
/// Input](https://www.st.cs.uni-saarland.de/papers/tse2002/tse2002.pdf).
struct Shrinking {
    /// A failure, run twice.
    struct Outcome {
        let result: SimulationRun.Result
        /// The first difference between the two runs.
        let difference: (first: String, second: String)?
        /// The operator that has done the most, with its line, if it lets no time pass; `nil` without the inspector.
        let busiest: String?

        init(_ first: SimulationRun.Result, _ second: SimulationRun.Result) {
            (result, busiest) = (first, nil)
            let index =
                zip(first.lines, second.lines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(first.lines.count, second.lines.count)
            difference =
                first.hash == second.hash ? nil : (Self.text(first, index), Self.text(second, index))
        }

        init(_ result: SimulationRun.Result, busiest: String?) {
            (self.result, difference, self.busiest) = (result, nil, busiest)
        }

        private static func text(_ result: SimulationRun.Result, _ index: Int) -> String {
            index < result.lines.count ? result.lines[index].text : "nothing"
        }
    }

    private let failed: SimulationRun.Result
    private let isCancelled: @Sendable () -> Bool
    private let body: SimulationBody

    init(_ failed: SimulationRun.Result, isCancelled: @escaping @Sendable () -> Bool, _ body: @escaping SimulationBody) {
        (self.failed, self.isCancelled, self.body) = (failed, isCancelled, body)
    }

    /// Leaves out halves, quarters and so on of the faults, and then single ones, until each remaining fault is needed.
    func smallest() -> Outcome {
        // A step that does not end is not repeated for each fault: each repetition would take its limit.
        if case .still(_, let steps)? = failed.failure, steps != Standstill.steps {
            return SimulationRun(seed: failed.seed, keepsLines: true, stepLimit: .seconds(1), body: body).busiest()
        }
        var faults = failed.faults.map(\.number)
        let effective = failed.faults.filter(\.tookEffect).map(\.number)
        if effective.count < faults.count, fails(with: effective) { faults = effective }
        var size = faults.count
        while size > 0, !faults.isEmpty, !isCancelled() {
            let count = faults.count
            leaveOut(size, of: &faults)
            // A fault that was needed may no longer be, once another one was left out after it.
            if size > 1 || faults.count == count { size /= 2 }
        }
        let run = SimulationRun(seed: failed.seed, faults: Set(faults), keepsLines: true, body: body)
        guard case .still? = failed.failure else { return Outcome(run.simulate(), run.simulate()) }
        return run.busiest()
    }

    /// Leaves out each group of this many faults without which the run still fails.
    private func leaveOut(_ size: Int, of faults: inout [Int]) {
        var start = 0
        while start < faults.count, !isCancelled() {
            let fewer = Array(faults[..<start] + faults[min(start + size, faults.count)...])
            if fails(with: fewer) { faults = fewer } else { start += size }
        }
    }

    private func fails(with faults: [Int]) -> Bool {
        isSame(SimulationRun(seed: failed.seed, faults: Set(faults), body: body).simulate().failure)
    }

    /// Whether a failure is of the same kind; its text may differ.
    private func isSame(_ failure: SimulationRun.Result.Failure?) -> Bool {
        switch (failed.failure, failure) {
        case (.violated(let first, _)?, .violated(let second, _)?): first == second
        case (.still(let first, _)?, .still(let second, _)?), (.stuck(let first)?, .stuck(let second)?): first == second
        case (.threw?, .threw?), (.escaped?, .escaped?): true
        default: false
        }
    }
}
