import OperatorCatalogue

/// The events that one run of a case showed, or must show.
struct Observation: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let tick: Int
        let signal: FuzzEvent
    }

    struct Interval: Sendable, Equatable {
        let subscribed: Int
        let ended: Int
    }

    /// The events of the test's observer.
    var events: [Entry]
    /// For each source of the case, when it was subscribed to and disposed.
    var subscriptions: [[Interval]]
    /// The events that the closures of `do` saw, wherever they stand.
    var notes: [Entry]
    /// Leaks: objects that are still alive, timers that are still planned.
    var leftovers: [String] = []
}
