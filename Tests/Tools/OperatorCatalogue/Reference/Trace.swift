/// What a stream does from one subscription on, all of it at once: an array of timed events.
package struct Trace {
    /// One subscription to a source of the case.
    package struct Use {
        package let source: Int
        package let subscribed: Moment
        /// When it ended; nil if it is not over at the end of time.
        package var ended: Int?

        package init(source: Int, subscribed: Moment) {
            (self.source, self.subscribed) = (source, subscribed)
        }
    }

    /// What is sent, in its order; the terminal event, if there is one, is the last.
    package var events: [(moment: Moment, signal: FuzzEvent)] = []
    /// The subscriptions to sources that it takes.
    package var uses: [Use] = []
    /// What the closures of `do` see.
    package var notes: [(moment: Moment, signal: FuzzEvent)] = []

    package init(uses: [Use] = []) {
        self.uses = uses
    }

    /// What is left if the subscription is disposed at `moment`: the events before it.
    package func cut(at moment: Moment) -> Trace {
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
    package mutating func end(at moment: Moment) {
        notes.removeAll { $0.moment > moment }
        uses.removeAll { $0.subscribed > moment }
        for index in uses.indices where (uses[index].ended ?? .max) > moment.time {
            uses[index].ended = moment.time
        }
    }
}
