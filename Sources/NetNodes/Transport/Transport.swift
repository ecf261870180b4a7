import Foundation
public import Streams

/// Sends requests to servers and delivers the responses.
public protocol Transport: Sendable {
    /// Returns the transfer of a request as events, up to ``TransferEvent/end(_:)``. Cold: each subscription sends the request anew;
    /// disposing cancels it at any stage.
    ///
    /// Fails with a ``TransportError``. An unsuccessful status is not an error here. Events are emitted on a thread of the transport.
    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent>

    /// Returns the complete response to a request as one element, otherwise like `transfer`.
    ///
    /// There is a default implementation; a transport may have a more efficient one.
    func response(to request: HTTPRequest) -> Observable<HTTPResponse>
}

/// A transport whose transfers can be paused, for backpressure.
public protocol PausableTransport: Transport {
    /// Like `transfer(_:)`. While the latest element of `isPaused` is `true` no bytes of the response are read from the network: the server
    /// can send at most what fits into the buffers of the system and the transport. A pause does not count towards the idle timeout.
    ///
    /// The completion of `isPaused` has no effect, its error terminates the transfer.
    func transfer(_ request: HTTPRequest, pausedWhile isPaused: Observable<Bool>) -> Observable<TransferEvent>
}

extension Transport {
    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        transfer(request).response { ResponseCollector(for: request) }
    }
}

extension ObservableType<TransferEvent> {
    /// Collects the events of one transfer into one response, emitted at its end. Fails with ``TransportError/noResponse`` if it completes
    /// without one, and with ``TransportError/bodyTooLarge(limit:url:)``.
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
        return .deferred {
            let collector = makeCollector()
            return transfer.compactMap { event in try collector.add(event) }
        }
    }

    /// Fails with ``TransportError/noResponse`` if the transfer completes without a complete response, which could otherwise be mistaken
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

/// Receives the serialized events of a transport; `end` and a failure are the last.
package typealias TransferDelivery = @Sendable (Result<TransferEvent, TransportError>) -> Void

/// Propagates the resource counter of the subscribing test to events that a transport delivers later on its own queue. Empty in release
/// builds.
package struct ResourceCounting: Sendable {
    package init() {}

    #if DEBUG
        private let counter = Resources.counter
    #endif

    package func callAsFunction(_ action: () -> Void) {
        #if DEBUG
            Resources.$counter.withValue(counter, operation: action)
        #else
            action()
        #endif
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
