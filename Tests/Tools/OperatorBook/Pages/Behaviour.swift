import OperatorCatalogue
import StreamsTesting

/// An operator that an upstream, a closure or the subscriber ends: its behaviour, found by running the first of its uses in the catalogue.
struct Behaviour {
    private(set) var rows: [(event: String, reaction: String)] = []
    private let use: OperatorRow
    private let plain: Experiment
    private let hasOther: Bool

    init?(of entry: Operator, closuresThrow: Bool) {
        guard let use = entry.laws.first else { return nil }
        (self.use, plain) = (use, Experiment(use))
        guard !plain.source.isEmpty else { return nil }
        hasOther = plain.other.first?.subscribed == .zero
        addPlace()
        rows.append(("upstream completes", reaction(to: plain, at: 8)))
        rows.append(("upstream fails", reaction(to: Experiment(use, source: .init(tick: 8, error: TestError("upstream"))), at: 8)))
        if hasOther { addOther() }
        if closuresThrow { addClosures() }
        addDisposal()
    }

    private mutating func addPlace() {
        guard !plain.output.isEmpty else { return }
        switch (plain.emitsSynchronously, plain.emitsLater) {
        case (true, true): rows.append(("an element is emitted", "where an upstream emits, and elsewhere: on a scheduler or at the end"))
        case (true, false): rows.append(("an element is emitted", "synchronously, where an upstream emits"))
        case (false, true): rows.append(("an element is emitted", "on a scheduler, or with a terminal event"))
        case (false, false): break
        }
    }

    private mutating func addOther() {
        // A stream that ends when nobody is subscribed to it any more says nothing.
        let isSubscribed = Experiment.isSubscribed(plain.other, at: 5)
        let (tick, place) = isSubscribed ? (5, "") : (1, " before its first element")
        let completed = Experiment(use, other: .init(tick: tick))
        let failed = Experiment(use, other: .init(tick: tick, error: TestError("other")))
        rows.append(("the other stream completes\(place)", reaction(to: completed, at: tick, ofOther: true)))
        rows.append(("the other stream fails\(place)", reaction(to: failed, at: tick, ofOther: true)))
    }

    private mutating func addClosures() {
        let runs = plain.closures.map { Experiment(use, failing: $0) }
        guard !runs.isEmpty, runs.allSatisfy({ $0.failure == TestError("closure") }) else { return }
        let isReleased = runs.allSatisfy { run in run.end.map { Experiment.isDisposed(run.source, at: $0.tick) } ?? false }
        rows.append(("a closure throws", "fails with that error" + (isReleased ? " and disposes upstream" : "")))
    }

    private mutating func addDisposal() {
        let run = Experiment(use, disposed: 7)
        guard run.end == nil else { return }
        let active = [("upstream", run.source), ("the other stream", run.other)].filter { Experiment.isSubscribed($0.1, at: 7) }
        guard let first = active.first else { return }
        let upstreams = active.count == 1 ? first.0 : "both upstreams"
        let isReleased = active.allSatisfy { Experiment.isDisposed($0.1, at: 7) }
        rows.append(("the subscriber disposes", isReleased ? "disposes \(upstreams) immediately" : "\(upstreams) stays subscribed to"))
    }

    /// The events of the output after an upstream had terminated at `tick`.
    private func reaction(to run: Experiment, at tick: Int, ofOther: Bool = false) -> String {
        guard let end = run.end else { return again(run) ?? "goes on; the output does not terminate" }
        if end.tick < tick { return "had \(verb(of: end.event, run)) before, and disposed upstream" }
        let sibling = ofOther ? run.source : run.other
        let isReleased = hasOther && end.tick == tick && Experiment.isDisposed(sibling, at: tick)
        let release = isReleased ? ", and disposes the other upstream" : ""
        if end.tick == tick { return "\(verb(of: end.event, run, isPast: false))\(release)" }
        if let again = again(run) { return again }
        let (last, remaining) = ofOther ? (8, "upstream") : (20, "the other stream")
        if hasOther, end.tick == last { return "goes on, and \(verb(of: end.event, run, isPast: false)) with \(remaining)" }
        return "\(verb(of: end.event, run, isPast: false)) later"
    }

    private func again(_ run: Experiment) -> String? {
        run.source.count > plain.source.count || run.source.count > 1 ? "subscribes to upstream again" : nil
    }

    private func verb(of event: Event<Probed>, _ run: Experiment, isPast: Bool = true) -> String {
        guard let error = event.error else { return isPast ? "completed" : "completes" }
        let name =
            error is TestError
            ? "that error" : "`\(String(reflecting: type(of: error)).split(separator: ".").dropFirst().joined(separator: ".")).\(error)`"
        return isPast ? "failed" : "fails with \(name)"
    }
}
