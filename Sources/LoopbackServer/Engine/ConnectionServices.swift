extension Connection {
    /// The services of the server that a connection uses.
    struct Services: Sendable {
        let queue: ServerQueue
        let limits: ServerLimits
        let recorder: Recorder
        let readBuffer: ReadBuffer
        let respond: Responder
        let isUpload: @Sendable (RequestHead) -> Bool
        let onClosed: @Sendable (ClosedConnection) -> Void
        /// Requests a call of `checkDeadline` at that instant or earlier.
        let watch: @Sendable (Duration) -> Void
    }
}
