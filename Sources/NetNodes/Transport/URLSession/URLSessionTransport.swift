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

/// Transfers through `URLSession`: the usual transport of Apple's systems.
///
/// On Linux `CurlTransport` is the better one: `URLSession` there uses a whole core while a request waits on a new connection. All limits of
/// time are kept by timers of this transport, because `URLSession` on Linux knows only whole seconds and only one of them; redirects are
/// followed by this transport, because `URLSession` there loses bodies and takes authorization along.
public final class URLSessionTransport: Sendable {
    private let session: URLSession
    private let relay: URLSessionRelay

    /// - Parameter configuration: its timeouts do not matter, those of the requests do; its storage of cookies, credentials and responses is
    ///   not used.
    public init(_ configuration: URLSessionConfiguration = .ephemeral) {
        // Cookies, passwords and responses that the session keeps by itself would be shared by all who use it, unseen by the chain's cache.
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
        // The stream holds the transport: without one its session is invalidated.
        .create { [self] observer in
            let transfer = URLSessionTransfer(request, session: session, relay: relay) { result in
                switch result {
                case .success(let event):
                    observer.onNext(event)
                    if case .end = event { observer.onCompleted() }
                case .failure(let error): observer.onError(error)
                }
            }
            relay.queue.async { transfer.begin() }
            return Disposables.create { [relay] in relay.queue.async { transfer.cancel() } }
        }
    }
}
