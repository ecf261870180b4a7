internal import Sockets
import Streams

/// Connects sockets, and reports when their bytes can be read and written. A ``CurlSocketEngine`` does this for the sockets of the system,
/// a ``SimulatedSocketEngine`` for those of a simulation. The two share the treatment of the bytes.
///
/// All members except those of the first two extensions are confined to one thread, which delivers the events.
protocol SocketEngine: AnyObject, Sendable {
    /// The buffer for one read.
    var buffer: UnsafeMutableRawBufferPointer { get }
    /// Posts a message that begins a connection. Thread-safe.
    func start(with message: EngineMessage)
    /// Posts a message, which has no effect if there is no connection. Thread-safe.
    func post(_ message: EngineMessage)
    /// Calls `action` on the thread after a pause in which other threads can act. Thread-safe.
    func pause(_ action: @escaping @Sendable () -> Void)
    /// Begins to connect; `didConnect` or `end` follows.
    func connect(_ link: SocketLink) throws(TransportError)
    /// Begins TLS on an open connection; `didConnect` or `end` follows.
    func beginTLS(_ link: SocketLink) throws(TransportError)
    /// Releases and closes the connection.
    func detach(_ link: SocketLink)
    /// Calls `readOnce` soon.
    func scheduleReading(_ link: SocketLink)
    /// Calls `makeReadable` and `writeOutput` when the socket is ready.
    func watch(_ link: SocketLink, for interest: SocketSet.Interest)
    /// Returns the error for the failure of a read or write.
    func error(_ code: Int32, of link: SocketLink) -> TransportError
}

/// Calls from any thread.
extension SocketEngine {
    func start(_ link: SocketLink) {
        link.startLimits()
        start(with: EngineMessage { link.engine.begin(link) })
    }

    /// Closes the connection; nothing more is delivered to its node.
    func cancel(_ link: SocketLink) { post(EngineMessage { link.engine.end(link, .completed) }) }
    /// Tells the engine that bytes or actions were added to the output.
    func write(_ link: SocketLink) { post(EngineMessage { link.engine.writeOutput(link) }) }
    func subscribe(_ receiver: SocketReceiver, to link: SocketLink) { post(EngineMessage { link.engine.add(receiver, to: link) }) }
    func expire(_ limit: SocketLink.Limit, _ link: SocketLink) { post(EngineMessage { link.engine.expired(limit, link) }) }
    func fail(_ link: SocketLink, _ error: any Error) { post(EngineMessage { link.engine.end(link, .error(error)) }) }
    /// Fails the connection when everything has been written, or soon.
    func finish(_ link: SocketLink, with error: any Error) { post(EngineMessage { link.engine.finish(error, link) }) }
    /// Tells the engine that the receiver has taken an element.
    func taken(by receiver: SocketReceiver, of link: SocketLink) {
        post(EngineMessage { link.engine.proceed(link) { receiver.didTake() } })
    }
    /// Tells the engine that the receiver's subscriber is no longer suspended.
    func resume(_ receiver: SocketReceiver, of link: SocketLink) {
        post(EngineMessage { link.engine.proceed(link) { receiver.didResume() } })
    }
}
