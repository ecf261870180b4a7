/// Counts the messages that a consumer has requested and has not finished, and decides when it requests more: the backpressure.
struct PullState: Sendable, Equatable {
    struct Pull: Sendable, Equatable {
        let id: Int
        let count: Int
    }

    /// The maximum number of messages that are requested or unfinished at a time.
    let capacity: Int
    /// The number of messages that the server still owes.
    private(set) var requested = 0
    /// The number of messages that are being processed.
    private(set) var unfinished = 0
    /// The number of the last request.
    private(set) var last = 0
    /// The number of the last request that is forgotten.
    private var forgotten = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// Returns the next request, if half of the capacity is free.
    mutating func nextPull() -> Pull? {
        let free = capacity - requested - unfinished
        guard free > 0, free >= capacity - free else { return nil }
        last += 1
        requested += free
        return Pull(id: last, count: free)
    }

    mutating func didReceive() {
        requested = max(0, requested - 1)
        unfinished += 1
    }

    mutating func didFinish() {
        unfinished = max(0, unfinished - 1)
    }

    /// Ends a request that will not get this number of messages; `nil` means all that are owed.
    mutating func didEnd(_ pull: Int, undelivered: Int?) {
        guard pull > forgotten else { return }
        requested -= min(requested, max(0, undelivered ?? requested))
    }

    /// Forgets all requests: the connection was replaced, or another server serves the consumer, so nobody remembers them.
    mutating func forget() {
        forgotten = last
        requested = 0
    }
}
