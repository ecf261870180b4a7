/// A case that does not do what the reference says.
struct Failure {
    let example: Case
    let expected: Observation
    let actual: Observation
    /// Whether a consumer that suspends its sources has shown it; then both are events without times, and the first is the free run.
    var isSuspended = false
}

/// Makes cases, runs them, and compares.
struct Fuzzer {
    /// The outcome of one seed.
    enum Verdict {
        /// It did what the reference says, with so many events at its end.
        case passed(events: Int)
        /// The pipeline does too much to be compared.
        case leftOut
        case failed(Failure)
    }

    let depth: Int

    func verdict(seed: UInt64) -> Verdict {
        let example = Generator.makeCase(seed: seed, depth: depth)
        let verdict = Self.verdict(on: example)
        guard case .passed = verdict, let failure = SuspendedRun.failure(of: example, seed: seed) else { return verdict }
        return .failed(failure)
    }

    /// Makes a failing case as small as it gets.
    static func shrunk(_ failure: Failure, seed: UInt64) -> Failure {
        Shrinker.shrunk(failure) { failure.isSuspended ? SuspendedRun.failure(of: $0, seed: seed) : Self.failure(of: $0) }
    }

    static func verdict(on example: Case) -> Verdict {
        guard let expected = try? Reference.expectation(of: example) else { return .leftOut }
        let actual = Run.observation(of: example)
        guard actual == expected else { return .failed(Failure(example: example, expected: expected, actual: actual)) }
        return .passed(events: expected.events.count)
    }

    private static func failure(of example: Case) -> Failure? {
        guard case .failed(let failure) = verdict(on: example) else { return nil }
        return failure
    }
}
