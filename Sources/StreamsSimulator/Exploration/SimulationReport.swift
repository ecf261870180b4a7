import Streams
import StreamsInspector

extension Simulation {
    /// A report on all runs of a simulation. Look at it: a run in which nothing happened proves nothing.
    public struct Report: Sendable, CustomStringConvertible {
        /// The number of seeds that were run.
        public private(set) var runs = 0
        /// The simulated time.
        public private(set) var duration = Duration.zero
        /// A number that depends on every event: another machine gets the same number from the same seeds.
        public private(set) var fingerprint: UInt64 = 0
        /// The number of times that each kind of fault took effect. A server that refuses connections while nobody connects does not count.
        public private(set) var faults: [Fault: Int] = [:]
        /// The number of checks of each expectation, in the order of their declaration.
        public private(set) var checks: [(name: String, count: Int)] = []

        /// The operators in the services' code, and their figures from the first twenty runs, if `explore` was told to count them: in a
        /// debug build, or one with the trait `Inspector`.
        public private(set) var operators: [OperatorCounts] = []
        private var observedRuns = 0

        /// The operators that emitted no element, although they can.
        public var silentOperators: [OperatorCounts] {
            operators.filter { $0.elements == 0 && !["empty", "never", "error"].contains($0.name) }
        }

        /// The operators that handle errors, and received none.
        public var untriedOperators: [OperatorCounts] {
            operators.filter { $0.errors == 0 && ($0.name.hasPrefix("catch") || $0.name.hasPrefix("retry")) }
        }

        /// The expectations that were never checked: their streams emitted nothing.
        public var unchecked: [String] { checks.filter { $0.count == 0 }.map(\.name) }

        mutating func add(_ result: SimulationRun.Result) {
            runs += 1
            duration += result.end
            fingerprint ^= result.hash &* (UInt64(bitPattern: Int64(result.seed)) &* 2 &+ 1)
            for fault in result.faults where fault.tookEffect { faults[fault.fault, default: 0] += 1 }
            for check in result.checks {
                let index = checks.firstIndex { $0.name == check.name } ?? checks.count
                if index == checks.count { checks.append((check.name, 0)) }
                checks[index].count += check.count
            }
        }

        mutating func add(_ lines: [Inspector.LineCoverage], of runs: Int) {
            observedRuns = runs
            operators = lines.map { line in
                OperatorCounts(
                    name: line.operatorName, place: line.place.description, subscriptions: line.starts,
                    elements: Int(clamping: line.elements),
                    errors: line.errors)
            }
        }

        private var operatorLines: [String] {
            guard observedRuns > 0 else { return [] }
            let lists = [("never emitted", silentOperators), ("never had an error to handle", untriedOperators)]
            return ["operators: \(operators.count) in the first \(observedRuns) runs"]
                + lists.flatMap { title, operators in operators.isEmpty ? [] : ["  \(title):"] + operators.map { "    \($0)" } }
        }

        public var description: String {
            let injected = Fault.allCases.map { "  \($0.rawValue): \(faults[$0] ?? 0)" }
            let checked = checks.map { "  \($0.name): \($0.count == 0 ? "NEVER CHECKED" : "\($0.count)")" }
            return
                (["\(runs) runs, \(duration.displayText) simulated, fingerprint \(String(fingerprint, radix: 16))", "faults:"] + injected
                + [
                    "checks:"
                ] + checked + operatorLines)
                .joined(separator: "\n")
        }
    }

    /// The figures of the operators that one line builds.
    public struct OperatorCounts: Sendable, Hashable, CustomStringConvertible {
        /// The name of the operator.
        public let name: String
        /// The file, as `#fileID` names it, and the line.
        public let place: String
        /// The number of subscriptions.
        public let subscriptions: Int
        /// The number of elements that it has emitted.
        public let elements: Int
        /// The number of its upstreams that have failed.
        public let errors: Int

        public var description: String { "`\(name)` (\(place))" }
    }
}
