import Dispatch
public import Streams

#if os(Linux)
    public import NetNodes
#endif
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A transport on `URLSession`: the default on Apple platforms.
///
/// On Linux prefer `CurlTransport`: `URLSession` there uses a whole core while a request waits on a new connection. This transport
/// implements all timeouts, because `URLSession` on Linux supports only whole seconds and a single timeout. It implements redirects too,
/// because `URLSession` there loses bodies and keeps the authorization. A suspended subscriber pauses the reading, except on Linux, where
/// `URLSession` cannot be paused within a response: bytes that are received meanwhile are buffered, without a bound unless the request has
/// a `HTTPRequest.Limits.maximumBodySize`.
public final class URLSessionTransport: Sendable {
    private let session: URLSession
    private let relay: URLSessionRelay

    /// - Parameter configuration: the configuration of the session. Its timeouts are ignored in favor of those of the requests; its storage
    ///   of cookies, credentials and responses is not used.
    public init(_ configuration: URLSessionConfiguration = .ephemeral) {
        // Cookies, passwords and responses stored by the session would be shared by all its users, bypassing the chain's cache.
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = 24 * 60 * 60
        configuration.timeoutIntervalForResource = 7 * 24 * 60 * 60
        relay = URLSessionRelay()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = relay.queue
        session = URLSession(configuration: configuration, delegate: relay, delegateQueue: queue)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }
}

extension URLSessionTransport: Transport {
    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        // The stream retains the transport, whose session is invalidated when it is deallocated.
        Observable { [self] downstream, lifetime in
            request.describeInInspector()
            let outlet = TransferOutlet(downstream, lifetime, isStreamed: true)
            let transfer = URLSessionTransfer(request, session: session, relay: relay, outlet: outlet)
            lifetime.add { [self] in relay.queue.async { transfer.cancel() } }
            relay.queue.async { transfer.begin() }
        }
    }
}
