import OperatorCatalogue
import StreamsTesting

/// A failure as text: the expected events above the actual ones, and the code of a test that shows it.
struct Report {
    let failure: Failure
    let seed: UInt64
    let depth: Int

    var text: String {
        """
        \(failure.isSuspended ? "A pipeline emits something else if its consumer suspends it." : "A pipeline does not do what the reference says.")
        Seed \(seed): Tests/Tools/run StreamsFuzzer --seed \(seed) --pipelines 1 --depth \(depth)

        \(diagrams)

        \(code)
        """
    }

    private var example: Case { failure.example }

    /// The diagrams of sources and of both outcomes, one column a tick.
    private var diagrams: String {
        var printer = Marble.Printer()
        var lines: [(label: String, text: String)] = []
        for source in example.pipeline.sources.sorted() {
            let events = example.sources[source].events.map { Observation.Entry(tick: $0.tick, signal: $0.event) }
            lines.append(("source\(source), \(example.sources[source].isHot ? "hot" : "cold")", draw(events, &printer)))
        }
        lines.append(("expected", draw(failure.expected.events, &printer)))
        lines.append(("actual", draw(failure.actual.events, &printer)))
        for source in example.pipeline.sources.sorted() {
            let (expected, actual) = (failure.expected.subscriptions[source], failure.actual.subscriptions[source])
            guard expected != actual else { continue }
            lines.append(("source\(source) listened to, expected", draw(expected)))
            lines.append(("source\(source) listened to, actual", draw(actual)))
        }
        if failure.expected.notes != failure.actual.notes {
            lines.append(("seen by do, expected", draw(failure.expected.notes, &printer)))
            lines.append(("seen by do, actual", draw(failure.actual.notes, &printer)))
        }
        lines += failure.actual.leftovers.map { ("left over", $0) }
        lines += printer.legend.map { ("", $0) }
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { $0.label + String(repeating: " ", count: width - $0.label.count) + "  " + $0.text }
            .joined(separator: "\n")
    }

    private func draw(_ events: [Observation.Entry], _ printer: inout Marble.Printer) -> String {
        printer.draw(events.map { Recorded(time: .seconds($0.tick), event: $0.signal.event) })
    }

    private func draw(_ intervals: [Observation.Interval]) -> String {
        intervals.isEmpty ? "never" : intervals.map { "\($0.subscribed) to \($0.ended)" }.joined(separator: ", ")
    }
}

// The code of a test.
extension Report {
    var code: String {
        let sources = example.pipeline.sources.sorted()
        var steps = PipelineCode()
        let stream = steps.lines(of: example.pipeline)
        let begin = "let observer = scheduler.start(subscribed: \(example.subscribed), disposed: \(example.disposed)) {"
        let usesNote = stream.contains { $0.contains("note(") }
        let lines =
            (usesNote ? ["@Sendable func note(_ what: Any) { print(what) }"] : []) + ["let scheduler = TestScheduler()"]
            + sources.map(definition)
            + (example.stopsAt.map { stopping(stream, inside: $0) } ?? [begin] + stream + ["}"])
            + ["#expect(observer.events == \(list(failure.expected.events.map { ($0.tick, $0.signal) })))"]
            + sources.map(expectation)
        return lines.map { "    " + $0 }.joined(separator: "\n")
    }

    /// A subscription that is disposed inside an event.
    private func stopping(_ stream: [String], inside number: Int) -> [String] {
        let reaction = "{ event in observer.on(event); if observer.events.count > \(number) { subscription.dispose() } })"
        return [
            "let observer = scheduler.observer(of: Int.self)", "let subscription = SingleAssignmentDisposable()",
            "scheduler.advance(to: \(example.subscribed))", "let stream = {",
        ] + stream + [
            "}()",
            "subscription.setDisposable(stream.subscribe \(reaction)", "scheduler.advance(to: \(example.disposed))",
            "subscription.dispose()",
        ]
    }

    private func definition(_ source: Int) -> String {
        let kind = example.sources[source].isHot ? "hot" : "cold"
        let events = list(example.sources[source].events.map { ($0.tick, $0.event) })
        return "let source\(source) = scheduler.\(kind)(\(events) as [Recorded<Int>])"
    }

    private func expectation(_ source: Int) -> String {
        let intervals = failure.expected.subscriptions[source].map { "TestScheduler.Subscription(\($0.subscribed), \($0.ended))" }
        return "#expect(source\(source).subscriptions == [\(intervals.joined(separator: ", "))])"
    }

    private func list(_ entries: [(tick: Int, signal: FuzzEvent)]) -> String {
        let texts = entries.map { entry in
            switch entry.signal {
            case .next(let element): ".next(\(entry.tick), \(element))"
            case .error(let name): ".error(\(entry.tick), \(name.hasPrefix("StreamError") ? name : "TestError(\"\(name)\")"))"
            case .completed: ".completed(\(entry.tick))"
            }
        }
        return "[\(texts.joined(separator: ", "))]"
    }
}
