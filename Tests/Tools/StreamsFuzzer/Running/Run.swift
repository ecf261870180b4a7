import OperatorCatalogue
import StreamsTesting
import Synchronization

/// Runs a case through the library, under virtual time.
enum Run {
    static func observation(of example: Case) -> Observation {
        let counter = Resources.Counter()
        var observation = Resources.$counter.withValue(counter) { watchedRun(example) }
        if counter.total != 0 { observation.leftovers.append("live objects: \(counter.byKind)") }
        return observation
    }

    /// Runs the case, and looks whether what it was made of goes away with it.
    private static func watchedRun(_ example: Case) -> Observation {
        weak var scheduler: TestScheduler?
        var observation: Observation
        do {
            let world = World(example)
            scheduler = world.scheduler
            observation = world.run(example)
        }
        if scheduler != nil { observation.leftovers.append("something keeps the scheduler") }
        return observation
    }
}

/// Records each event and its time. Events of one subscription come one at a time (law 2), under virtual time on one thread.
private final class EventLog: Sendable {
    private let entries = Mutex<[Observation.Entry]>([])
    private let scheduler: TestScheduler

    init(_ scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    var events: [Observation.Entry] { entries.withLock { $0 } }

    /// Gives the number of entries.
    @discardableResult
    func take(_ signal: FuzzEvent) -> Int {
        let entry = Observation.Entry(tick: scheduler.tick, signal: signal)
        return entries.withLock { entries in
            entries.append(entry)
            return entries.count
        }
    }
}

/// The scheduler and the sources of one run.
private struct World: Sendable {
    let scheduler = TestScheduler()
    private let hot: [TestScheduler.HotObservable<Int>?]
    private let cold: [TestScheduler.ColdObservable<Int>?]
    private let sources: [Observable<Int>]
    private let notes: EventLog

    init(_ example: Case) {
        let scheduler = scheduler
        notes = EventLog(scheduler)
        let events = example.sources.map { source in
            source.events.map { Recorded(time: .seconds($0.tick), event: $0.event.event) }
        }
        hot = zip(example.sources, events).map { $0.isHot ? scheduler.hot($1) : nil }
        cold = zip(example.sources, events).map { $0.isHot ? nil : scheduler.cold($1) }
        sources = zip(hot, cold).compactMap { $0?.asObservable() ?? $1?.asObservable() }
    }

    func run(_ example: Case) -> Observation {
        scheduler.advance(to: example.subscribed)
        let stream = build(example.pipeline, element: 0)
        var recorder: EventLog? = EventLog(scheduler)
        weak let watched = recorder
        let subscription = SingleAssignmentDisposable()
        if let recorder {
            let stopsAt = example.stopsAt ?? .max
            subscription.setDisposable(
                stream.subscribe { [weak subscription] event in
                    if recorder.take(FuzzEvent(event)) > stopsAt { subscription?.dispose() }
                })
        }
        scheduler.advance(to: example.disposed)
        subscription.dispose()
        var observation = Observation(
            events: watched?.events ?? [], subscriptions: zip(hot, cold).map(intervals), notes: notes.events)
        let hasHotEvents = example.sources.contains { $0.isHot && ($0.events.last?.tick ?? 0) > example.disposed }
        if !hasHotEvents, !scheduler.isIdle { observation.leftovers.append("a timer after the disposal") }
        recorder = nil
        if watched != nil { observation.leftovers.append("something keeps the observer after the disposal") }
        return observation
    }

    private func intervals(hot: TestScheduler.HotObservable<Int>?, cold: TestScheduler.ColdObservable<Int>?) -> [Observation.Interval] {
        (hot?.subscriptions ?? cold?.subscriptions ?? []).map { interval in
            Observation.Interval(subscribed: interval.subscribed.ticks, ended: interval.disposed?.ticks ?? .max)
        }
    }

    private func build(_ pipeline: Pipeline, element: Int) -> Observable<Int> {
        let body = pipeline.body.first
        return pipeline.fuzzOperator.build(
            FuzzOperator.Parts(
                upstreams: pipeline.upstreams.map { build($0, element: element) }, numbers: pipeline.numbers, element: element,
                body: { element in body.map { build($0, element: element) } ?? .empty() }, sources: sources, scheduler: scheduler,
                note: { notes.take($0) }))
    }
}

extension Duration {
    fileprivate var ticks: Int { Int(components.seconds) }
}

extension TestScheduler {
    fileprivate var tick: Int { now.ticks }
}
