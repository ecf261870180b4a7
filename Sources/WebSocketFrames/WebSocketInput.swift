/// The input of a peer that nobody has taken yet. It is parsed as it arrives, and taken event by event.
package struct WebSocketInput: Sendable {
    private var parser: WebSocketParser
    private var events: [WebSocketEvent] = []
    private var position = 0
    private var violation: WebSocketViolation?

    /// - Parameters:
    ///   - isServer: whether the peer is a client, whose frames must be masked.
    ///   - maximumMessageSize: the maximum size of a message, in bytes.
    package init(isServer: Bool, maximumMessageSize: Int) {
        parser = WebSocketParser(isServer: isServer, maximumMessageSize: maximumMessageSize)
    }

    /// Whether nothing can be taken.
    package var isEmpty: Bool { position == events.count && violation == nil }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        violation = parser.parse(bytes, into: &events) ?? violation
    }

    /// Takes the next event; returns `nil` if there is none.
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
