import OperatorCatalogue
import StreamsTesting

/// One run of a picture: lanes over one axis of time.
struct Diagram {
    /// One timeline.
    struct Lane {
        enum Kind { case input, inner, output }

        let kind: Kind
        let label: String
        /// When it begins, and when it ends without a terminal event; nil if it does not.
        let begin: Double
        let end: Double?
        let moments: [Moment]
        /// The subscriptions drawn below it.
        var subscriptions: [Span] = []
    }

    /// The events at one time.
    struct Moment {
        enum Mark: Equatable { case element(String), error(String), completed }

        let time: Double
        var events: [Mark]

        var isLast: Bool {
            switch events.last {
            case .error, .completed: true
            default: false
            }
        }
    }

    /// A subscription, in seconds; without an end if the operator does not dispose it.
    struct Span {
        let begin: Double
        let end: Double?
    }

    /// When the second subscriber of a shared stream subscribes.
    static let secondSubscription = 3

    let title: String
    /// The operator as it was run.
    let code: [String]
    let lanes: [Lane]
    /// How many seconds there are on the axis.
    let seconds: Int

    init(_ picture: Picture, of run: Picture.Run, code: [String], labels: [String]) {
        var lanes: [Lane] = []
        for (index, events) in run.events.enumerated() {
            let label = labels[index]
            let spans = run.intervals[index].map(Self.span)
            lanes += picture.isCold ? Self.cold(events, spans, label) : [Self.hot(events, spans, label)]
        }
        for inner in run.inner {
            lanes += inner.intervals.map(Self.span).map { span in
                Self.lane(.inner, "for \(inner.element)", events: inner.events, during: span)
            }
        }
        let result = Self.moments(run.observer.events, from: 0)
        lanes.append(Lane(kind: .output, label: run.later == nil ? "output" : "subscriber 1", begin: 0, end: nil, moments: result))
        if let later = run.later {
            let moments = Self.moments(later.events, from: 0)
            lanes.append(Lane(kind: .output, label: "subscriber 2", begin: Double(Self.secondSubscription), end: nil, moments: moments))
        }
        let times = lanes.flatMap { lane -> [Double] in
            let ends = [lane.end ?? 0] + lane.subscriptions.map { $0.end ?? $0.begin }
            return lane.moments.map(\.time) + ends
        }
        (title, self.code, self.lanes) = (picture.name, code, lanes)
        seconds = max(Int((times.max() ?? 0).rounded(.up)), 4)
    }

    private static func hot(_ events: [Recorded<String>], _ spans: [Span], _ label: String) -> Lane {
        Lane(kind: .input, label: label, begin: 0, end: nil, moments: moments(events, from: 0), subscriptions: spans)
    }

    /// A cold source has a timeline for each subscription; those that do not overlap share one.
    private static func cold(_ events: [Recorded<String>], _ spans: [Span], _ label: String) -> [Lane] {
        let overlaps = zip(spans, spans.dropFirst()).contains { earlier, later in (earlier.end ?? .infinity) > later.begin }
        guard !spans.isEmpty, !overlaps, spans.allSatisfy({ ($0.end ?? .infinity) > $0.begin }) else {
            return [lane(.input, label, events: events, during: Span(begin: 0, end: nil))]
        }
        return spans.enumerated().map { index, span in
            var lane = lane(.input, spans.count == 1 ? label : "\(label) \(index + 1)", events: events, during: span)
            lane.subscriptions = [span]
            return lane
        }
    }

    private static func lane(_ kind: Lane.Kind, _ label: String, events: [Recorded<String>], during span: Span) -> Lane {
        let moments = moments(events, from: span.begin).filter { moment in span.end.map { moment.time <= $0 } ?? true }
        let end = moments.last.map(\.isLast) ?? false ? nil : span.end
        return Lane(kind: kind, label: label, begin: span.begin, end: end, moments: moments)
    }

    private static func moments(_ events: [Recorded<String>], from begin: Double) -> [Moment] {
        events.reduce(into: []) { moments, entry in
            let time = begin + seconds(entry.time)
            let mark: Moment.Mark =
                switch entry.event {
                case .next(let element): .element(element)
                case .error(let error): .error("\(error)")
                case .completed: .completed
                }
            if moments.last?.time == time {
                moments[moments.count - 1].events.append(mark)
            } else {
                moments.append(Moment(time: time, events: [mark]))
            }
        }
    }

    private static func span(_ interval: TestScheduler.Subscription) -> Span {
        let end = interval.disposed.map(seconds)
        return Span(begin: seconds(interval.subscribed), end: end == Double(Picture.disposal) ? nil : end)
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}

extension Diagram {
    /// The whole diagram in words, for those who cannot see it.
    var words: String {
        lanes.map { lane in
            let events = lane.moments.flatMap { moment in moment.events.map { "\(Self.word($0)) at \(Self.text(moment.time)) s" } }
            let spans = lane.subscriptions.map { span in
                " Subscribed at \(Self.text(span.begin)) s" + (span.end.map { ", disposed at \(Self.text($0)) s." } ?? ".")
            }
            let name = lane.kind == .inner ? "stream \(lane.label), subscribed at \(Self.text(lane.begin)) s" : lane.label
            let end = lane.kind == .inner ? lane.end.map { "; disposed at \(Self.text($0)) s" } ?? "" : ""
            let list = events.isEmpty ? "nothing" : events.joined(separator: ", ")
            return "\(name.prefix(1).uppercased())\(name.dropFirst()): \(list)\(end).\(spans.joined())"
        }.joined(separator: " ")
    }

    static func text(_ time: Double) -> String {
        time == time.rounded() ? "\(Int(time))" : "\(time)"
    }

    private static func word(_ mark: Moment.Mark) -> String {
        switch mark {
        case .element(let element): element
        case .error(let error): "the error \(error)"
        case .completed: "the completion"
        }
    }
}
