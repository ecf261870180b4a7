import OperatorCatalogue

/// What one run of a case showed, or must show.
struct Observation: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let tick: Int
        let signal: FuzzEvent
    }

    struct Interval: Sendable, Equatable {
        let subscribed: Int
        let ended: Int
    }

    /// What the test's observer got.
    var events: [Entry]
    /// For each source of the case, when it was subscribed to and disposed.
    var subscriptions: [[Interval]]
    /// What the closures of `do` saw, wherever they stand.
    var notes: [Entry]
    /// What must not be: objects that are still alive, timers that are still planned.
    var leftovers: [String] = []
}
