/// Finds the fewest faults with which a seed still fails in the same way.
///
/// Source: [Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
/// Input](https://www.st.cs.uni-saarland.de/papers/tse2002/tse2002.pdf).
struct Shrinking {
    /// A failure, run twice.
    struct Outcome {
        let result: SimulationRun.Result
        /// Where the second run differed from the first.
        let difference: (first: String, second: String)?

        init(_ first: SimulationRun.Result, _ second: SimulationRun.Result) {
            result = first
            let index =
                zip(first.lines, second.lines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(first.lines.count, second.lines.count)
            difference =
                first.hash == second.hash ? nil : (Self.text(first, index), Self.text(second, index))
        }

        private static func text(_ result: SimulationRun.Result, _ index: Int) -> String {
            index < result.lines.count ? result.lines[index].text : "nothing"
        }
    }

    private static let maximumRuns = 300

    private let failed: SimulationRun.Result
    private let body: SimulationBody

    init(_ failed: SimulationRun.Result, _ body: @escaping SimulationBody) {
        (self.failed, self.body) = (failed, body)
    }

    func smallest() -> Outcome {
        var runs = 0
        var faults = failed.faults.map(\.number)
        var size = faults.count
        while size > 0, runs < Self.maximumRuns {
            var start = 0
            while start < faults.count, runs < Self.maximumRuns {
                let fewer = Array(faults[..<start] + faults[min(start + size, faults.count)...])
                runs += 1
                if fails(with: fewer) { faults = fewer } else { start += size }
            }
            size /= 2
        }
        let run = SimulationRun(seed: failed.seed, faults: Set(faults), keepsLines: true, body: body)
        return Outcome(run.perform(), run.perform())
    }

    private func fails(with faults: [Int]) -> Bool {
        isSame(SimulationRun(seed: failed.seed, faults: Set(faults), body: body).perform().failure)
    }

    /// Whether a failure is of the same kind; its words may differ.
    private func isSame(_ failure: SimulationRun.Result.Failure?) -> Bool {
        switch (failed.failure, failure) {
        case (.violated(let first, _)?, .violated(let second, _)?): first == second
        case (.threw?, .threw?), (.escaped?, .escaped?), (.stuck?, .stuck?): true
        default: false
        }
    }
}
