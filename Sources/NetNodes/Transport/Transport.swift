import Foundation
public import Streams

/// Carries a request to a server and the response back.
public protocol Transport: Sendable {
    /// The transfer of a request, event by event, up to ``TransferEvent/end(_:)``. Cold: subscribing sends the request, each time anew;
    /// disposing ends it at the server, at whatever stage it is.
    ///
    /// Fails with a ``TransportError``. A response with a bad status is no failure here. Events come on a thread of the transport.
    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent>

    /// The whole response to a request as one element, otherwise like `transfer`.
    ///
    /// It has a default; a transport may have a shorter way.
    func response(to request: HTTPRequest) -> Observable<HTTPResponse>
}

/// A transport whose transfers can be held up, so that a server sends no faster than its data is used.
public protocol PausableTransport: Transport {
    /// Like `transfer(_:)`. While the latest of `isPaused` is true no bytes of the response are taken from the network: at most what the system
    /// and the transport have in their buffers has left the server. The time does not count as silence of the server.
    ///
    /// The end of `isPaused` changes nothing, its error ends the transfer.
    func transfer(_ request: HTTPRequest, pausedWhile isPaused: Observable<Bool>) -> Observable<TransferEvent>
}

extension Transport {
    public func response(to request: HTTPRequest) -> Observable<HTTPResponse> {
        transfer(request).response { ResponseCollector(for: request) }
    }
}

extension ObservableType<TransferEvent> {
    /// The events of one transfer put together: one element at its end. Fails with ``TransportError/noResponse`` where it ends without one, and
    /// with ``TransportError/bodyTooLarge(limit:url:)``.
    ///
    /// - Parameter maximumBodySize: the longest body that is collected, in bytes.
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

    /// Fails with ``TransportError/noResponse`` where the transfer ends without a response, or before it: whoever reads on cannot tell that from
    /// a response without a body.
    func requiringResponse() -> Observable<TransferEvent> {
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

/// How a transport hands events on, one at a time; `end` and a failure are the last.
package typealias TransferDelivery = @Sendable (Result<TransferEvent, TransportError>) -> Void

/// Hands the resource counter of the subscribing test on to what a transport delivers later on its own queue. Nothing in release builds.
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
