/// What happened in the runs of a simulation altogether. Look at it: a run in which nothing happened proves nothing.
public struct SimulationReport: Sendable, CustomStringConvertible {
    /// How many seeds were run.
    public private(set) var runs = 0
    /// The simulated time.
    public private(set) var duration = Duration.zero
    /// A number that depends on everything that happened: another machine gets the same from the same seeds.
    public private(set) var fingerprint: UInt64 = 0
    /// How often each kind of fault occurred.
    public private(set) var faults: [SimulatedFault: Int] = [:]
    /// How often each expectation was checked, in the order of their declaration.
    public private(set) var checks: [(name: String, count: Int)] = []

    /// The expectations that were never checked: their streams emitted nothing.
    public var unchecked: [String] { checks.filter { $0.count == 0 }.map(\.name) }

    mutating func add(_ result: SimulationRun.Result) {
        runs += 1
        duration += result.end
        fingerprint ^= result.hash &* (UInt64(bitPattern: Int64(result.seed)) &* 2 &+ 1)
        for fault in result.faults { faults[fault.fault, default: 0] += 1 }
        for check in result.checks {
            let index = checks.firstIndex { $0.name == check.name } ?? checks.count
            if index == checks.count { checks.append((check.name, 0)) }
            checks[index].count += check.count
        }
    }

    public var description: String {
        let injected = SimulatedFault.allCases.map { "  \($0.rawValue): \(faults[$0] ?? 0)" }
        let checked = checks.map { "  \($0.name): \($0.count == 0 ? "NEVER CHECKED" : "\($0.count)")" }
        return
            (["\(runs) runs, \(duration.displayText) simulated, fingerprint \(String(fingerprint, radix: 16))", "faults:"] + injected + [
                "checks:"
            ] + checked)
            .joined(separator: "\n")
    }
}
