/// The behavior of a stream from one subscription on, as an array of timed events.
public struct Trace {
    /// One subscription to a source of the case.
    public struct Use {
        public let source: Int
        public let subscribed: Moment
        /// The time at which it ended; `nil` if it is not over at the end of time.
        public var ended: Int?

        public init(source: Int, subscribed: Moment) {
            (self.source, self.subscribed) = (source, subscribed)
        }
    }

    /// The sent events in order; the terminal event, if there is one, is the last.
    public var events: [(moment: Moment, signal: FuzzEvent)] = []
    /// The subscriptions to sources that the stream makes.
    public var uses: [Use] = []
    /// The events that the closures of `do` receive.
    public var notes: [(moment: Moment, signal: FuzzEvent)] = []

    public init(uses: [Use] = []) {
        self.uses = uses
    }

    /// Returns the trace up to a disposal of the subscription at `moment`: the events before it.
    public func cut(at moment: Moment) -> Trace {
        var cut = self
        cut.events.removeAll { $0.moment > moment }
        cut.end(at: moment)
        return cut
    }

    /// Adds the effects of an upstream to this trace.
    mutating func takeOver(_ upstream: Trace) {
        uses += upstream.uses
        notes += upstream.notes
    }

    /// Ends all sources at `moment`, and removes the events after it.
    public mutating func end(at moment: Moment) {
        notes.removeAll { $0.moment > moment }
        uses.removeAll { $0.subscribed > moment }
        for index in uses.indices where (uses[index].ended ?? .max) > moment.time {
            uses[index].ended = moment.time
        }
    }
}
