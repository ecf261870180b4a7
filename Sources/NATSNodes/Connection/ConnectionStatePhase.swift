extension ConnectionState {
    enum Phase: Sendable, Equatable {
        /// There is no connection, and no attempt to make one.
        case idle
        /// The first connection is being made.
        case connecting
        case ready
        /// A connection was lost, and a new one is being made.
        case reconnecting
        /// The connection was closed and accepts nothing any more.
        case closed
    }

    struct SubscriptionRequest: Sendable, Equatable {
        let subject: String
        let queue: String?
    }

    /// The messages and flushes that were lost together with a connection.
    struct Loss: Sendable, Equatable {
        /// The flushes whose pings had been sent.
        var flushes: [Int] = []
        /// The number of sent messages that may or may not have arrived.
        var unconfirmed = 0
        /// The number of the last message that was sent.
        var sent = 0
    }
}
