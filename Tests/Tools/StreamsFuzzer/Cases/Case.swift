import OperatorCatalogue

/// A pipeline, the sources that feed it, and when it is subscribed to and disposed: everything that one run needs.
struct Case: Sendable, Equatable {
    /// The events of a source: at ticks from the subscription on if it is cold, from the beginning of time if it is hot.
    struct Source: Sendable, Equatable {
        var isHot: Bool
        var events: [Moving]
    }

    /// One event of a source.
    struct Moving: Sendable, Equatable {
        var tick: Int
        var event: FuzzEvent
    }

    var sources: [Source]
    var pipeline: Pipeline
    var subscribed: Int
    /// When the test disposes, at the latest.
    var disposed: Int
    /// The test disposes inside the event with this number; nil if it does not.
    var stopsAt: Int?
}
