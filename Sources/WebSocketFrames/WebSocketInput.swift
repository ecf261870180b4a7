/// What a peer has sent and nobody has taken yet: parsed as it arrives, and taken one by one.
package struct WebSocketInput: Sendable {
    private var parser: WebSocketParser
    private var events: [WebSocketEvent] = []
    private var position = 0
    private var violation: WebSocketViolation?

    /// - Parameters:
    ///   - isServer: whether the peer is a client, whose frames must be masked.
    ///   - maximumMessageSize: in bytes.
    package init(isServer: Bool, maximumMessageSize: Int) {
        parser = WebSocketParser(isServer: isServer, maximumMessageSize: maximumMessageSize)
    }

    /// Whether there is nothing to be taken.
    package var isEmpty: Bool { position == events.count && violation == nil }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        violation = parser.parse(bytes, into: &events) ?? violation
    }

    /// Takes what is next; `nil` if there is nothing.
    package mutating func next() -> Result<WebSocketEvent, WebSocketViolation>? {
        guard position < events.count else { return violation.take().map { .failure($0) } }
        let event = events[position]
        position += 1
        if position == events.count {
            events.removeAll(keepingCapacity: true)
            position = 0
        }
        return .success(event)
    }
}
