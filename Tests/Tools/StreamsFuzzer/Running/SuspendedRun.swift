import OperatorCatalogue
import StreamsTesting
import Synchronization

/// Runs a case without its clock, once freely and once with a consumer that suspends its sources at random: both must emit the same.
struct SuspendedRun {
    /// How many events are compared.
    private static let longest = 200

    private let example: Case
    /// Whether the consumer suspends at each of its events.
    private let suspends: [Bool]

    /// Returns what differs; nil if nothing does, or if what the case emits depends on time.
    static func failure(of example: Case, seed: UInt64) -> Failure? {
        guard example.pipeline.isTimeless else { return nil }
        var random = RandomNumbers(seed: seed)
        let rhythm = random.number(in: 1...3)
        let suspends = (0..<longest).map { _ in random.once(in: rhythm) }
        let expected = SuspendedRun(example: example, suspends: suspends.map { _ in false }).observation()
        let actual = SuspendedRun(example: example, suspends: suspends).observation()
        return actual == expected ? nil : Failure(example: example, expected: expected, actual: actual, isSuspended: true)
    }

    private func observation() -> Observation {
        let counter = Resources.Counter()
        let events = Resources.$counter.withValue(counter) { run() }
        return Observation(
            events: events.enumerated().map { Observation.Entry(tick: $0, signal: $1) },
            subscriptions: example.sources.map { _ in [] }, notes: [],
            leftovers: counter.total == 0 ? [] : ["live objects: \(counter.byKind)"])
    }

    private func run() -> [FuzzEvent] {
        let suspension = Suspension()
        let received = Mutex<[FuzzEvent]>([])
        let subscription = SingleAssignmentDisposable()
        subscription.setDisposable(
            build(example.pipeline, element: 0).suspended(by: suspension).subscribe { [weak subscription] event in
                let count = received.withLock { received in
                    received.append(FuzzEvent(event))
                    return received.count
                }
                if count == Self.longest { return subscription?.dispose() ?? () }
                if suspends[count - 1] { suspension.suspend() }
            })
        while suspension.isSuspended { suspension.resume() }
        subscription.dispose()
        return received.withLock { $0 }
    }

    private func build(_ pipeline: Pipeline, element: Int) -> Observable<Int> {
        let body = pipeline.body.first
        return pipeline.fuzzOperator.build(
            FuzzOperator.Parts(
                upstreams: pipeline.upstreams.map { build($0, element: element) }, numbers: pipeline.numbers, element: element,
                body: { element in body.map { build($0, element: element) } ?? .empty() }, sources: example.sources.map(\.synchronous),
                scheduler: TestScheduler(), note: { _ in }))
    }
}

extension Case.Source {
    /// Its events in order, without their times.
    fileprivate var synchronous: Observable<Int> {
        let stop = events.firstIndex { $0.event.isStop }
        let elements = events[..<(stop ?? events.endIndex)].compactMap { $0.event.event.element }
        switch stop.map({ events[$0].event.event }) {
        case .error(let error): return Observable.from(elements).concat(Observable.error(error))
        case .completed: return Observable.from(elements)
        case .next, nil: return Observable.from(elements).concat(Observable.never())
        }
    }
}

extension Pipeline {
    /// Whether its elements do not depend on when its sources emit.
    fileprivate var isTimeless: Bool {
        !timedKinds.contains(kind) && (upstreams + body).allSatisfy(\.isTimeless)
    }
}

/// Operators whose elements, or their order, depend on time, and those that end suspension.
private let timedKinds: Set<Int> = {
    let timed = Operator.all.filter { entry in
        // State that subscriptions share, such as a limit, is decided by whichever comes first.
        entry.chapter == "Resilience" || overtaking.contains { entry.names[0].hasPrefix($0) }
            || entry.laws.contains { !$0.traits.isDisjoint(with: [.dependsOnTime, .hot, .shares]) }
    }
    let templates = Set(timed.flatMap(\.fuzzed).map(\.template))
    return Set(
        fuzzOperators.indices.filter { kind in
            let template = fuzzOperators[kind].template
            return templates.contains(template) || template.contains("scheduler")
        })
}()

/// Those whose streams overtake one another: an error, or what opens, cuts or ends, does not wait.
private let overtaking = [
    "amb(", "buffer(boundary:", "concat(delayErrors:", "concatMap(", "concatMapEager(", "flatMap", "merge(", "pausable(", "skip(until:",
    "switchLatest(", "take(until:", "withLatestFrom(",
]
