import OperatorCatalogue
import StreamsTesting
import Synchronization

extension Row {
    /// Each pipeline of the fuzzer; for an operator without one, its first use in the laws.
    static var operators: [Row] {
        let exempt = Row.exemptions.reduce(into: Set<String>()) { $0.formUnion($1.names) }
        return Operator.all.filter { exempt.isDisjoint(with: $0.names) }.flatMap { entry in
            guard entry.fuzzed.isEmpty else { return entry.fuzzed.map { Row(entry, $0) } }
            return entry.laws.prefix(1).map { Row(entry, $0) }
        }
    }

    private init(_ entry: Operator, _ pipeline: FuzzOperator) {
        let largest = pipeline.ranges.map(\.upperBound)
        let finite = Experiment(pipeline, largest)
        // A number that ends the stream is replaced by one that does not.
        let endless = pipeline.upstreams > 0 && !largest.isEmpty ? Experiment(pipeline, largest.map { _ in 1_000_000 }) : finite
        self.init(
            names: entry.names, title: pipeline.code(with: largest).split(whereSeparator: \.isWhitespace).joined(separator: " "),
            figures: [
                (.element, { finite.element() ?? endless.element() }), (.subscription, finite.subscription),
                (.completion, finite.completion),
            ])
    }

    private init(_ entry: Operator, _ law: OperatorRow) {
        let elements = (0...2).map { Probed($0) }
        let user = UserCode()
        let experiment = Experiment(elements: elements, upstreams: 2) { sources, scheduler in
            law.apply(Upstreams(source: sources[0], other: sources[1], user: user, scheduler: scheduler))
        }
        self.init(
            names: entry.names, title: law.name,
            figures: [(.element, experiment.element), (.subscription, experiment.subscription), (.completion, experiment.completion)])
    }
}

/// Streams over subjects and virtual time.
private struct Experiment<Element: Sendable> {
    /// The elements that the subjects emit, again and again.
    let elements: [Element]
    let upstreams: Int
    let make: ([Observable<Element>], TestScheduler) -> Observable<Element>

    private var instances: Int { 20 }

    /// An element that a subject emits, with the second that follows if the operator waits for one. Nil if the stream has terminated, or
    /// observes no subject.
    func element() -> Work? {
        let scheduler = TestScheduler()
        let subjects = (0..<upstreams).map { _ in PublishSubject<Element>() }
        let end = End()
        let subscription = make(subjects.map { $0.asObservable() }, scheduler).subscribe(
            onNext: { _ in Receipt.note() }, onError: { _ in end.note() }, onCompleted: { end.note() })
        for second in 0..<60 {
            for subject in subjects { subject.onNext(elements[second % elements.count]) }
            scheduler.advance(by: 1)
        }
        let live = subjects.filter(\.hasObservers)
        for subject in live { subject.onNext(elements[0]) }
        let takesTime = !scheduler.isIdle
        guard !end.isReached, !live.isEmpty else { return nil }
        let burst = (0..<60).map { elements[$0 % elements.count] }
        return Work(count: burst.count * live.count) {
            for element in burst {
                for subject in live { subject.onNext(element) }
                if takesTime { scheduler.advance(by: 1) }
            }
            withExtendedLifetime(subscription) {}
        }
    }

    func subscription() -> Work? {
        let scheduler = TestScheduler()
        let sources = (0..<upstreams).map { _ in PublishSubject<Element>().asObservable() }
        return Work(count: instances) {
            for _ in 0..<instances { make(sources, scheduler).run().dispose() }
        }
    }

    /// Nil where there is nothing that completes. The subjects are made before it is counted, for each of the runs.
    func completion() -> Work? {
        guard upstreams > 0 else { return nil }
        let scheduler = TestScheduler()
        var subjects = (0..<(instances * Work.runs)).map { _ in (0..<upstreams).map { _ in PublishSubject<Element>() } }
        return Work(count: instances) {
            for subjects in subjects.suffix(instances) {
                let subscription = make(subjects.map { $0.asObservable() }, scheduler).run()
                for subject in subjects { subject.onCompleted() }
                if !scheduler.isIdle { scheduler.advance(by: 10) }
                subscription.dispose()
            }
            subjects.removeLast(instances)
        }
    }
}

extension Experiment where Element == Int {
    fileprivate init(_ pipeline: FuzzOperator, _ numbers: [Int]) {
        // The elements that no predicate of the catalogue ends a stream at.
        self.init(elements: [0, 1, 2], upstreams: pipeline.upstreams) { sources, scheduler in
            pipeline.build(
                FuzzOperator.Parts(
                    upstreams: sources, numbers: numbers, element: 0, body: { .just($0) }, sources: sources, scheduler: scheduler,
                    note: { _ in }))
        }
    }
}
