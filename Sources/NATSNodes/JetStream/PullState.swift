/// How many messages a consumer has asked for and has not finished, and when it asks for more: the backpressure.
struct PullState: Sendable, Equatable {
    struct Pull: Sendable, Equatable {
        let id: Int
        let count: Int
    }

    /// The most that are asked for or unfinished at a time.
    let capacity: Int
    /// Messages that the server owes.
    private(set) var requested = 0
    /// Messages that are being processed.
    private(set) var unfinished = 0
    /// The number of the last request.
    private(set) var last = 0
    /// Requests up to this one are forgotten.
    private var forgotten = 0

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    /// The next request, if half of the capacity is free.
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

    /// A request has ended, with this number of messages that it will not get; `nil` for all that are owed.
    mutating func didEnd(_ pull: Int, undelivered: Int?) {
        guard pull > forgotten else { return }
        requested -= min(requested, max(0, undelivered ?? requested))
    }

    /// Nobody remembers the requests: the connection was replaced, or the consumer is served by another server.
    mutating func forget() {
        forgotten = last
        requested = 0
    }
}
