/// A case that does not do what the reference says.
struct Failure {
    let example: Case
    let expected: Observation
    let actual: Observation
}

/// Makes cases, runs them, and compares.
struct Fuzzer {
    /// What became of one seed.
    enum Verdict {
        /// It did what the reference says, with so many events at its end.
        case passed(events: Int)
        /// The pipeline does too much to be compared.
        case leftOut
        case failed(Failure)
    }

    let depth: Int

    func verdict(seed: UInt64) -> Verdict {
        Self.verdict(on: Generator.makeCase(seed: seed, depth: depth))
    }

    static func verdict(on example: Case) -> Verdict {
        guard let expected = try? Reference.expectation(of: example) else { return .leftOut }
        let actual = Run.observation(of: example)
        guard actual == expected else { return .failed(Failure(example: example, expected: expected, actual: actual)) }
        return .passed(events: expected.events.count)
    }

    static func failure(of example: Case) -> Failure? {
        guard case .failed(let failure) = verdict(on: example) else { return nil }
        return failure
    }
}
