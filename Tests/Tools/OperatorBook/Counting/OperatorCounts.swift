import CAllocationCounter
import OperatorCatalogue
import StreamsTesting

extension AllocationCounts {
    /// Counts every operator of the catalogue that runs over virtual time.
    static func counted() throws -> AllocationCounts {
        #if DEBUG
            throw BookError(message: "unoptimized code allocates what nobody runs: Tests/Tools/run OperatorBook")
        #else
            guard allocation_counter_is_available() else { throw BookError(message: "allocations are counted on Linux only") }
            let subject = AllocationExperiment(elements: [0], upstreams: 1) { sources, _ in sources[0] }.subscription()
            var operators: [String: AllocationCount] = [:]
            for entry in Operator.all { operators[entry.description] = entry.allocations }
            return AllocationCounts(
                baseline: AllocationCount.Baseline(subscribing: subject.subscribing, bytes: subject.bytes), operators: operators,
                subjects: Dictionary(uniqueKeysWithValues: subjects.map { ($0.name, element(through: $0.make)) }))
        #endif
    }

    private static let subjects: [(name: String, make: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("PublishSubject", { $0.received(by: PublishSubject()) }),
        ("BehaviorSubject", { $0.received(by: BehaviorSubject(value: 0)) }),
        ("ReplaySubject(bufferSize: 1)", { $0.received(by: ReplaySubject(bufferSize: 1)) }),
        ("ReplaySubject(bufferSize: 100)", { $0.received(by: ReplaySubject(bufferSize: 100)) }),
        ("AsyncSubject", { $0.received(by: AsyncSubject()) }),
        ("PublishRelay", { $0.received(by: PublishRelay()) }),
        ("BehaviorRelay", { $0.received(by: BehaviorRelay(value: 0)) }),
        ("ReplayRelay(bufferSize: 1)", { $0.received(by: ReplayRelay(bufferSize: 1)) }),
    ]

    private static func element(through make: @escaping (Observable<Int>) -> Observable<Int>) -> Double {
        AllocationExperiment(elements: [0, 1, 2], upstreams: 1) { sources, _ in make(sources[0]) }.perElement() ?? .infinity
    }

    /// The first name of each operator, by the name of its counts.
    static var names: [String: String] {
        Dictionary(Operator.all.map { ($0.description, $0.names[0]) }) { first, _ in first }
    }
}

extension Observable {
    /// The subject, which receives the elements of this stream as long as that emits.
    fileprivate func received<Subject: ObserverType<Element> & ObservableType<Element>>(by subject: Subject) -> Observable<Element> {
        _ = subscribe(subject)
        return subject.asObservable()
    }
}

extension Operator {
    /// The allocations of its first pipeline in the fuzzer, or else of its first use in the laws. Nil where it runs in neither.
    fileprivate var allocations: AllocationCount? {
        if let pipeline = fuzzed.first { return pipeline.allocations }
        guard let use = laws.first else { return nil }
        let elements = (0...2).map { Probed($0) }
        let experiment = AllocationExperiment(elements: elements, upstreams: 2) { [user = UserCode()] sources, scheduler in
            use.apply(Upstreams(source: sources[0], other: sources[1], user: user, scheduler: scheduler))
        }
        return AllocationCount(code: nil, experiment.subscription(), element: experiment.perElement())
    }
}

extension FuzzOperator {
    /// Takes the place of a number where the largest of the pipeline's ends it within the count: `take(4)`.
    private static let endless = 1_000_000

    fileprivate var allocations: AllocationCount {
        let largest = ranges.map(\.upperBound)
        let experiment = experiment(largest)
        let isEndedByNumber = upstreams > 0 && !ranges.isEmpty
        let element =
            experiment.perElement()
            ?? (isEndedByNumber ? self.experiment(ranges.map { _ in Self.endless }).perElement() : nil)
        return AllocationCount(code: code(with: largest), experiment.subscription(), element: element)
    }

    private func experiment(_ numbers: [Int]) -> AllocationExperiment<Int> {
        // The elements that no predicate of the catalogue ends a stream at.
        AllocationExperiment(elements: [0, 1, 2], upstreams: upstreams) { sources, scheduler in
            build(
                Parts(
                    upstreams: sources, numbers: numbers, element: 0, body: { .just($0) }, sources: sources, scheduler: scheduler,
                    note: { _ in }))
        }
    }
}

extension AllocationCount {
    fileprivate init(code: String?, _ subscription: (building: Int, subscribing: Int, bytes: Int, emitted: Int), element: Double?) {
        self.init(
            code: code, building: subscription.building, subscribing: subscription.subscribing, bytes: subscription.bytes,
            emitted: subscription.emitted, element: element)
    }
}
