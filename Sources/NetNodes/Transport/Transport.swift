import Foundation
public import Streams

/// Sends requests to servers and delivers the responses.
public protocol Transport: Sendable {
    /// Returns the transfer of a request as events, up to ``TransferEvent/end(_:)``. The stream is cold: each subscription sends the
    /// request anew, and disposing cancels it at any stage.
    ///
    /// Fails with a `TransportError`. An unsuccessful status is not an error here. Events are emitted on a thread of the transport.
    ///
    /// While its subscriber is suspended the response is read no further, so that the server has to stop sending, and no time counts
    /// towards the idle timeout.
    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent>

    /// Returns the complete response to a request as one element; otherwise like `transfer`. The response is received even while its
    /// subscriber is suspended, and emitted after the suspension.
    ///
    /// There is a default implementation; a transport may have a more efficient one.
    func response(to request: HTTPRequest) -> Observable<HTTPResponse>
}

extension HTTPRequest {
    /// Shows, at the operator that is being started, that it sends this request.
    package func describeInInspector() { Probe.described(as: "\(method) \(redactedURL)") }
}

extension Transport {
    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        transfer(request).response { ResponseCollector(for: request) }
    }
}

extension ObservableType<TransferEvent> {
    /// Collects the events of one transfer into one response, emitted at its end. Fails with `TransportError.noResponse` if the transfer
    /// completes without one, and with `TransportError.bodyTooLarge(limit:url:)`.
    ///
    /// - Parameter maximumBodySize: the maximum size of the collected body, in bytes.
    ///
    ///     -sent-head-chunk-chunk-end|
    ///     --------------------------response|
    public func response(maximumBodySize: Int = HTTPRequest.Limits.collectedBodySize) -> Observable<HTTPResponse> {
        response { ResponseCollector(maximumBodySize: maximumBodySize) }
    }

    fileprivate func response(_ makeCollector: @escaping @Sendable () -> ResponseCollector) -> Observable<HTTPResponse> {
        let transfer = requiringResponse()
        return Observable { downstream, lifetime in
            let collector = makeCollector()
            // The upstream is not suspended: a response that is read only half would occupy a connection for which others wait.
            let upstream = lifetime.independentChild()
            transfer.subscribe(in: upstream) { event in
                switch event {
                case .next(let event):
                    do {
                        guard let response = try collector.add(event) else { return }
                        upstream.dispose()
                        lifetime.whenResumed {
                            downstream.finish(with: response, in: lifetime)
                        }
                    } catch {
                        upstream.dispose()
                        downstream.onError(error)
                    }
                case .error(let error): downstream.onError(error)
                case .completed: break
                }
            }
        }
    }

    /// Fails with `TransportError.noResponse` if the transfer completes without a complete response, which could otherwise be mistaken
    /// for a response without a body.
    package func requiringResponse() -> Observable<TransferEvent> {
        let transfer = asObservable()
        return .deferred {
            let progress = SerialState((hasHead: false, hasEnd: false))
            let checked = transfer.map { event in
                switch event {
                case .head: progress.value.hasHead = true
                case .end where progress.value.hasHead: progress.value.hasEnd = true
                case .chunk, .end:
                    guard progress.value.hasHead else { throw TransportError.noResponse }
                case .sent, .progress: break
                }
                return event
            }
            return checked.concat(Observable.deferred { progress.value.hasEnd ? .empty() : .error(TransportError.noResponse) })
        }
    }
}

#if os(Linux)
    /// The default transport of this platform.
    public typealias DefaultTransport = CurlTransport
#else
    /// The default transport of this platform.
    public typealias DefaultTransport = URLSessionTransport
#endif

extension Transport where Self == DefaultTransport {
    /// The shared transport: its connections are reused by all chains.
    public static var shared: DefaultTransport { sharedTransport }
}

private let sharedTransport = DefaultTransport()
