/// What a stream does from one subscription on, all of it at once: an array of timed events.
public struct Trace {
    /// One subscription to a source of the case.
    public struct Use {
        public let source: Int
        public let subscribed: Moment
        /// When it ended; nil if it is not over at the end of time.
        public var ended: Int?

        public init(source: Int, subscribed: Moment) {
            (self.source, self.subscribed) = (source, subscribed)
        }
    }

    /// What is sent, in its order; the terminal event, if there is one, is the last.
    public var events: [(moment: Moment, signal: FuzzEvent)] = []
    /// The subscriptions to sources that it takes.
    public var uses: [Use] = []
    /// What the closures of `do` see.
    public var notes: [(moment: Moment, signal: FuzzEvent)] = []

    public init(uses: [Use] = []) {
        self.uses = uses
    }

    /// What is left if the subscription is disposed at `moment`: the events before it.
    public func cut(at moment: Moment) -> Trace {
        var cut = self
        cut.events.removeAll { $0.moment > moment }
        cut.end(at: moment)
        return cut
    }

    /// Counts what happens above an operator as its own.
    mutating func takeOver(_ upstream: Trace) {
        uses += upstream.uses
        notes += upstream.notes
    }

    /// Lets all sources go at `moment`, and forgets what would have happened later.
    public mutating func end(at moment: Moment) {
        notes.removeAll { $0.moment > moment }
        uses.removeAll { $0.subscribed > moment }
        for index in uses.indices where (uses[index].ended ?? .max) > moment.time {
            uses[index].ended = moment.time
        }
    }
}
