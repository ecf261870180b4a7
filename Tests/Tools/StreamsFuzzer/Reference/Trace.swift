/// What a stream does from one subscription on, all of it at once: an array of timed events.
struct Trace {
    /// One subscription to a source of the case.
    struct Use {
        let source: Int
        let subscribed: Moment
        /// When it ended; nil if it is not over at the end of time.
        var ended: Int?
    }

    /// What is sent, in its order; the terminal event, if there is one, is the last.
    var events: [(moment: Moment, signal: Signal)] = []
    /// The subscriptions to sources that it takes.
    var uses: [Use] = []
    /// What the closures of `do` see.
    var notes: [(moment: Moment, signal: Signal)] = []

    /// What is left if the subscription is disposed at `moment`: what came before it.
    func cut(at moment: Moment) -> Trace {
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
    mutating func end(at moment: Moment) {
        notes.removeAll { $0.moment > moment }
        uses.removeAll { $0.subscribed > moment }
        for index in uses.indices where (uses[index].ended ?? .max) > moment.time {
            uses[index].ended = moment.time
        }
    }
}
