internal import CLibcurl
import Foundation
public import Streams

/// Connects to an endpoint: a duplex stream of bytes over TCP or TLS.
///
/// Emits the connection once it is established, and completes when it has been closed by either side. Cold: each subscription connects
/// anew, and disposing closes. Names, proxies of the environment and the verification of certificates are those of requests.
///
/// ```swift
/// let lines = SocketNode().stream(SocketEndpoint(host: "127.0.0.1", port: 7000)).flatMap { connection -> Observable<Data> in
///     connection.send(Data("hello\n".utf8))
///     return connection.received
/// }
/// ```
///
/// Fails with a ``TransportError``, whose URL is `tcp://host:port` or `tls://host:port`. Events are emitted on one thread that all sockets
/// of the process share: an observer that blocks it delays all others (``SocketConnection/received(on:)``).
public struct SocketNode: Node {
    /// The default limit of the number of bytes that wait to be written.
    public static let sendBufferSize = 8 * 1024 * 1024

    private let timeouts: ConnectionTimeouts
    private let overflow: BufferingPolicy
    private let scheduler: any Scheduler

    /// - Parameters:
    ///   - timeouts: `connect` includes the name lookup, the proxy and TLS; `idle` starts again whenever bytes are received or written, and
    ///     does not pass while the subscriber has not taken what was received, or is suspended; `total` is the age of the connection.
    ///   - overflow: how many **bytes** wait to be written, and what happens to further elements; one element alone may be larger.
    ///   - scheduler: runs the timeouts.
    public init(
        timeouts: ConnectionTimeouts = ConnectionTimeouts(idle: nil),
        overflow: BufferingPolicy = .fail(capacity: SocketNode.sendBufferSize),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.timeouts = timeouts
        self.overflow = overflow
        self.scheduler = scheduler
    }

    public func stream(_ input: SocketEndpoint) -> Observable<SocketConnection> {
        Observable { [self] downstream, lifetime in
            let engine: any SocketEngine = SimulatedSocketEngine.current ?? CurlSocketEngine.shared
            let link = SocketLink(input, overflow: overflow, timeouts: timeouts, scheduler: scheduler, engine: engine) { event in
                guard !lifetime.isDisposed else { return }
                downstream.on(event)
            }
            lifetime.add { link.engine.cancel(link) }
            link.engine.start(link)
        }
    }
}

extension TransportError {
    /// Creates the error that corresponds to a failure of libcurl on a socket.
    ///
    /// - Parameters:
    ///   - message: libcurl's message.
    ///   - systemError: the `errno` of the last connect, or 0.
    init(_ code: CURLcode, message: String, systemError: Int32, endpoint: SocketEndpoint) {
        let url = endpoint.description
        let reason = normalizedMessage(message).escapedForDisplay
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .cannotConnect(url: url, reason: reason)
        default:
            self = .connectionFailure(
                code, message: message, reason: reason, systemError: systemError, host: endpoint.host, url: url)
        }
    }
}
