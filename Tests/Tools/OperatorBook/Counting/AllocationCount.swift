/// The allocations of one use of an operator. Counted, not timed: the same on every machine with the same compiler.
struct AllocationCount: Codable, Equatable {
    /// The counted code: the operator's first pipeline in the fuzzer, or nil where that is its first use in the laws.
    let code: String?
    /// Allocations of building the stream, the closures included.
    let building: Int
    /// Allocations of subscribing to it, and of what it emits synchronously then.
    let subscribing: Int
    /// Bytes that the subscription holds afterwards, without its share of the arrays of the scheduler.
    let bytes: Int
    /// Elements that it emitted synchronously when it was subscribed to.
    let emitted: Int
    /// Allocations for each element, of which upstreams emit one a second; nil where it had terminated before.
    let element: Double?

    /// Of a subscription to a subject, without an operator.
    struct Baseline: Codable, Equatable {
        let subscribing: Int
        let bytes: Int
    }
}

/// The counts of all operators that can run by themselves.
struct AllocationCounts: Codable, Equatable {
    let baseline: AllocationCount.Baseline
    /// By the operator's file and name, which is its description in the catalogue.
    let operators: [String: AllocationCount]
    /// Allocations of each kind of subject for an element with one observer, by the name of the type.
    let subjects: [String: Double]

    /// Those which must not allocate for an element, whatever has been measured: the stateless and the simple stateful ones.
    static let free: Set = [
        "map(_:)", "filter(_:)", "scan(_:accumulator:)", "take(_:)", "distinctUntilChanged()",
        "combineLatest(_:delayErrors:resultSelector:)",
        "combineLatest(_:delayErrors:)", "merge(_:delayErrors:)", "withLatestFrom(_:resultSelector:)",
    ]

    /// A sentence for each operator that allocates clearly more than it did. A few allocations more of a subscription are not reported: the
    /// optimizer of another compiler, or a neighbouring function that changed, may make them.
    func regressions(from stored: AllocationCounts) -> [String] {
        operators.sorted { $0.key < $1.key }.flatMap { name, now -> [String] in
            guard let before = stored.operators[name] else { return ["\(name) has no counts"] }
            let figures: [(String, Double?, Double?, slack: Double)] = [
                ("an element", now.element, before.element, 0.55),
                ("building", Double(now.building), Double(before.building), 2.05),
                ("a subscription", Double(now.subscribing), Double(before.subscribing), 4.05),
            ]
            return figures.compactMap { what, now, before, slack in
                guard let now, let before, now > before + slack else { return nil }
                return "\(name): \(what) costs \(Costs.text(now)) allocations, and cost \(Costs.text(before))"
            }
        }
    }

    /// A sentence for each operator of `free`, and each subject except those with a replay buffer, that allocates for an element.
    func violations(names: [String: String]) -> [String] {
        let allocating = subjects.filter { $0.value > 0.005 && !$0.key.hasPrefix("Replay") }.keys.sorted()
        return allocating.map { "\($0) allocates for an element, and must not" }
            + Self.free.sorted().flatMap { free -> [String] in
                let counts = operators.filter { names[$0.key] == free }.compactMap(\.value.element)
                guard let most = counts.max() else { return ["\(free) has not been counted, and must not allocate for an element"] }
                return most > 0.005 ? ["\(free) makes \(Costs.text(most)) allocations for an element, and must not make any"] : []
            }
    }
}
