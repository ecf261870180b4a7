import OperatorCatalogue

/// A tree of operators: what is built, what the reference computes, and what is printed as code.
struct Pipeline: Sendable, Equatable {
    /// The place of the operator among the operators of the fuzzer.
    var kind: Int
    /// Counts, durations in ticks, and what goes into the closures.
    var numbers: [Int]
    /// The streams that the operator is applied to.
    var upstreams: [Pipeline]
    /// The stream that the operator makes of an element; `x` in the code.
    var body: [Pipeline]

    init(_ kind: Int, numbers: [Int] = [], upstreams: [Pipeline] = [], body: [Pipeline] = []) {
        self.kind = kind
        self.numbers = numbers
        self.upstreams = upstreams
        self.body = body
    }

    var fuzzOperator: FuzzOperator { fuzzOperators[kind] }

    /// How many operators there are.
    var size: Int {
        (upstreams + body).reduce(1) { $0 + $1.size }
    }

    /// The numbers of the sources that are used.
    var sources: Set<Int> {
        let own: Set<Int> = kind == sourceKind ? [numbers[0]] : []
        return (upstreams + body).reduce(own) { $0.union($1.sources) }
    }
}
