import Foundation

extension Simulation {
    /// A run of a simulation that failed: the violation, the fewest faults with which it occurs, and the way to repeat it.
    public struct Failure: Error, Sendable, CustomStringConvertible, LocalizedError {
        /// The seed of the run.
        public let seed: Int
        /// The violation, in a sentence.
        public let reason: String
        /// The time since the beginning.
        public let time: Duration
        /// The numbers of the faults with which it fails, as few as were found.
        public let faults: [Int]
        /// Descriptions of the faults, one on each line.
        public let faultDescriptions: [String]
        /// The events of the run, one on each line.
        public let trace: [String]
        /// The end of the trace. Of many equal events at once, as what a kill loses, there are the last ones.
        private let lastLines: [String]
        /// Processes and streams from the beginning to the failure, drawn as marbles.
        public let timeline: String
        /// The call that repeats the run.
        public let replay: String

        init(_ outcome: Shrinking.Outcome, original: SimulationRun.Result, place: String) {
            let result = outcome.result
            seed = result.seed
            time = result.end
            faults = result.faults.map(\.number)
            faultDescriptions = result.faults.map(\.description)
            trace = result.lines.map(\.text)
            lastLines = Self.end(of: result.lines)
            timeline = Timeline(result.lines, end: result.end).text
            replay = "try await Simulation.replay(seed: \(seed), faults: \(faults)) { ... }  // instead of the call at \(place)"
            reason = Self.reason(result.failure ?? original.failure, outcome)
        }

        private static func end(of lines: [Trace.Line]) -> [String] {
            var end: [String] = []
            var rest = lines[...]
            while let last = rest.last, end.count < longestEnd {
                let burst = rest.reversed().prefix { ($0.time, $0.kind, $0.who) == (last.time, last.kind, last.who) }.count
                let shown = burst > longestBurst ? longestBurst - 1 : burst
                end += rest.suffix(shown).reversed().map(\.text)
                if burst > shown { end.append("\(last.time.displayText)  \(last.who)  \(last.kind.rawValue) \(burst - shown) more") }
                rest.removeLast(burst)
            }
            return end.prefix(longestEnd).reversed()
        }

        private static let longestEnd = 12
        private static let longestBurst = 3

        private static func reason(_ failure: SimulationRun.Result.Failure?, _ outcome: Shrinking.Outcome) -> String {
            // Either of these may make runs differ, and tells more than the place at which they do.
            switch failure {
            case .escaped(let sentence)?: return sentence
            case .still(let who, let steps)?:
                let busiest = outcome.busiest.map { " Most of it does \($0)." } ?? ""
                return "\(who) lets no time pass: \(steps).\(busiest)"
            default: break
            }
            if let difference = outcome.difference {
                return
                    "Two runs of the same seed differ, so something is outside of the simulation: first \"\(difference.first)\", then \"\(difference.second)\"."
            }
            return switch failure {
            case .violated(let name, let reason)?: "\"\(name)\" does not hold: \(reason)."
            case .threw(let error)?: "The simulation threw: \(error)."
            case .stuck(let who)?: "\(who) waits for something that nothing in its world does."
            case .escaped?, .still?, nil: "It did not fail when it was repeated."
            }
        }

        public var description: String {
            """
            \(reason)
            Seed \(seed), after \(time.displayText), with \(faults.isEmpty ? "no fault" : faultDescriptions.joined(separator: "; ")).

            \(timeline)

            The last lines of what happened:
            \(lastLines.map { "  \($0)" }.joined(separator: "\n"))

            To repeat it: \(replay)
            """
        }

        public var errorDescription: String? { description }
    }
}
