import Streams

/// Whose turn it is to receive the messages of a WebSocket: one subscriber after the other, each when the last one's bytes are handled.
///
/// Thread-safe.
final class SubscriberTurn: Sendable {
    private struct State {
        /// The number of the current subscriber, and that of the last one.
        var current: Int?
        var last = 0
        /// Whether bytes are being handled.
        var isReceiving = false
        /// Whether the current subscriber is disposed, and its bytes are still being handled.
        var isLeaving = false
        var next: (@Sendable (Int) -> Void)?

        mutating func begin() -> Int {
            last += 1
            (current, isLeaving) = (last, false)
            return last
        }
    }

    private let state = Lock(State())

    /// Whether a subscriber waits for bytes.
    var isWaiting: Bool { state.withLock { $0.current != nil && !$0.isLeaving && !$0.isReceiving } }
    var isTaken: Bool { state.withLock { $0.current != nil && !$0.isLeaving } }

    /// Calls `start` with a number when it is the subscriber's turn. Returns `false` if another subscriber is active.
    func begin(_ start: @escaping @Sendable (Int) -> Void) -> Bool {
        let (isAccepted, number) = state.withLock { state -> (Bool, Int?) in
            guard state.current != nil else { return (true, state.begin()) }
            guard state.isLeaving, state.next == nil else { return (false, nil) }
            state.next = start
            return (true, nil)
        }
        if let number { start(number) }
        return isAccepted
    }

    /// Ends the turn of a subscriber.
    func end(_ number: Int) {
        state.withLock { state in
            guard state.current == number else { return }
            if state.isReceiving { state.isLeaving = true } else { state.current = nil }
        }
    }

    /// Runs `body` if it is still the subscriber's turn, and then lets the next one begin; returns `nil` if it is not.
    func receive<Result>(_ number: Int, _ body: () -> Result) -> Result? {
        let isCurrent = state.withLock { state in
            guard state.current == number, !state.isLeaving else { return false }
            state.isReceiving = true
            return true
        }
        guard isCurrent else { return nil }
        let result = body()
        let next = state.withLock { state -> (start: @Sendable (Int) -> Void, number: Int)? in
            state.isReceiving = false
            guard state.isLeaving else { return nil }
            state.current = nil
            return state.next.take().map { ($0, state.begin()) }
        }
        if let next { next.start(next.number) }
        return result
    }
}
