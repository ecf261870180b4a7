extension ConnectionState {
    enum Phase: Sendable, Equatable {
        /// Nothing is connected, and nothing tries to.
        case idle
        /// The first connection is being made.
        case connecting
        case ready
        /// A connection was lost, and another is being made.
        case reconnecting
        /// Nothing is accepted any more.
        case closed
    }

    struct SubscriptionRequest: Sendable, Equatable {
        let subject: String
        let queue: String?
    }

    /// What a connection took with it when it was lost.
    struct Loss: Sendable, Equatable {
        /// The flushes whose pings had been sent.
        var flushes: [Int] = []
        /// Sent messages that may or may not have arrived.
        var unconfirmed = 0
        /// The number of the last message that was sent.
        var sent = 0
    }
}
