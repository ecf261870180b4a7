import OperatorCatalogue

/// Computes what a case must do, without any operator of the library.
///
/// A stream is a function from the moment of its subscription to its trace. A trace is computed to the end of time, as if nobody ever
/// disposed; a disposal cuts it there.
final class Reference {
    /// The pipeline does so much that comparing it would take too long.
    struct TooLarge: Error {}

    let horizon: Int
    private let sources: [Case.Source]
    private var budget = 4_000

    private init(_ sources: [Case.Source], horizon: Int) {
        self.sources = sources
        self.horizon = horizon
    }

    /// The events of a case that the test sees, and when its sources were subscribed to and disposed.
    static func expectation(of example: Case) throws -> Observation {
        let reference = Reference(example.sources, horizon: example.disposed)
        let begin = Moment.subscription(at: example.subscribed)
        var trace = try reference.stream(example.pipeline, element: 0)(begin)
        if let stopsAt = example.stopsAt, stopsAt < trace.events.count {
            let stop = trace.events[stopsAt].moment
            // There is nothing to dispose with before the subscription returns.
            trace = trace.cut(at: stop.isInside(begin) ? begin.then(.max) : stop)
        }
        let uses = trace.uses.sorted { $0.subscribed < $1.subscribed }
        return Observation(
            events: trace.events.map { Observation.Entry(tick: $0.moment.time, signal: $0.signal) },
            subscriptions: example.sources.indices.map { source in
                uses.filter { $0.source == source }.map { use in
                    Observation.Interval(subscribed: use.subscribed.time, ended: use.ended ?? example.disposed)
                }
            },
            notes: trace.notes.sorted { $0.moment < $1.moment }.map { Observation.Entry(tick: $0.moment.time, signal: $0.signal) })
    }

    func stream(_ pipeline: Pipeline, element: Int) -> Walk.Stream {
        if pipeline.kind == sourceKind { return { [self] moment in source(pipeline.numbers[0], at: moment) } }
        return { [self] moment in
            let streams = pipeline.upstreams.map { stream($0, element: element) }
            let place = Walk.Place(
                numbers: pipeline.numbers, element: element, streams: streams, body: { self.body(of: pipeline, element: $0) },
                horizon: horizon, spend: spend)
            let walk = Walk(place, at: moment)
            try pipeline.fuzzOperator.reference(walk)
            return walk.finished()
        }
    }

    /// The stream that a pipeline's body makes of an element.
    private func body(of pipeline: Pipeline, element: Int) -> Walk.Stream {
        guard let body = pipeline.body.first else { return { _ in Trace() } }
        return stream(body, element: element)
    }

    private func spend() throws {
        budget -= 1
        guard budget > 0 else { throw TooLarge() }
    }

    /// The trace of a source: hot ones emit at fixed times, cold ones begin anew.
    private func source(_ number: Int, at subscribed: Moment) -> Trace {
        let source = sources[number]
        var trace = Trace(uses: [Trace.Use(source: number, subscribed: subscribed)])
        for (index, entry) in source.events.enumerated() {
            let moment: Moment
            if source.isHot {
                let action = Moment.hot(source: number, index: index, at: entry.tick)
                guard action > subscribed else { continue }
                moment = action.delivered(toSubscriptionAt: subscribed)
            } else {
                moment = subscribed.then(index).scheduling(at: subscribed.time + entry.tick)
            }
            guard moment.time <= horizon else { continue }
            trace.events.append((moment, entry.event))
        }
        trace.events.sort { $0.moment < $1.moment }
        guard let stop = trace.events.firstIndex(where: { $0.signal.isStop }) else { return trace }
        trace.events.removeSubrange((stop + 1)...)
        trace.end(at: trace.events[stop].moment)
        return trace
    }
}
