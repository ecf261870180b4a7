internal import CLibcurl
import Foundation
public import Streams

/// Connects to an endpoint: a duplex stream of bytes over TCP or TLS.
///
/// Emits the connection once it is established, and completes when either side has closed it. The stream is cold: each subscription
/// connects anew, and disposing closes the connection. Names, proxies of the environment and the verification of certificates work as in
/// requests.
///
/// ```swift
/// let lines = SocketNode().stream(SocketConnection.Endpoint(host: "127.0.0.1", port: 7000)).flatMap { connection -> Observable<Data> in
///     connection.send(Data("hello\n".utf8))
///     return connection.received
/// }
/// ```
///
/// Fails with a ``TransportError``, whose URL is `tcp://host:port` or `tls://host:port`. One thread, which all sockets of the process
/// share, emits the events: an observer that blocks it delays all others (``SocketConnection/received(on:)``).
public struct SocketNode: Node {
    /// The default limit of the number of bytes that wait to be written.
    public static let sendBufferSize = 8 * 1024 * 1024

    private let timeouts: SocketConnection.Timeouts
    private let overflow: BufferingPolicy
    private let scheduler: any Scheduler

    /// - Parameters:
    ///   - timeouts: `connect` includes the name lookup, the proxy and TLS. `idle` starts again whenever bytes are received or written, and
    ///     does not pass while the subscriber is suspended or has not taken the received bytes. `total` is the age of the connection.
    ///   - overflow: how many **bytes** may wait to be written, and the treatment of further elements; a single element may be larger.
    ///   - scheduler: the scheduler that runs the timeouts.
    public init(
        timeouts: SocketConnection.Timeouts = SocketConnection.Timeouts(idle: nil),
        overflow: BufferingPolicy = .fail(capacity: SocketNode.sendBufferSize),
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        self.timeouts = timeouts
        self.overflow = overflow
        self.scheduler = scheduler
    }

    public func stream(_ input: SocketConnection.Endpoint) -> Observable<SocketConnection> {
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
    init(_ code: CURLcode, message: String, systemError: Int32, endpoint: SocketConnection.Endpoint) {
        let url = endpoint.description
        let reason = normalizedMessage(message)
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .cannotConnect(url: url, reason: reason)
        default:
            self = .connectionFailure(
                code, message: message, reason: reason, systemError: systemError, host: endpoint.host, url: url)
        }
    }
}
