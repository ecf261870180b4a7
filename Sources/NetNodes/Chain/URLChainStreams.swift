public import Foundation
public import Streams

/// Outputs with more than one element.
extension URLChain where Stage == Routed {
    /// Emits the values in the lines of the response, each as soon as it is received; see ``JSONLinesNode``.
    ///
    /// There is no timeout by default.
    public func lines<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        withoutIdleTimeout.streaming("jsonLines") { [decoder = settings.makeDecoder] transport in
            JSONLinesNode<Output>(transport: transport, decoder: decoder)
        }
    }

    /// Emits one page after another; see ``Streams/Observable/pages(from:wanted:onFailure:next:page:)``.
    ///
    /// - Parameters:
    ///   - type: the type of a page.
    ///   - paging: finds the next page.
    ///   - wanted: emits when a further page is wanted; without it all pages are requested.
    ///   - onFailure: returns a stream whose next element triggers a retry of the failed page.
    @_disfavoredOverload
    public func pages<Page: Decodable & Sendable>(
        _ type: Page.Type, _ paging: Paging<Page>, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) }
    ) -> AnyNode<Input, Page> {
        pages(paging, wanted, onFailure) { $0.output(type) }
    }

    /// Emits one page after another, each read through its raw form; see ``Streams/Observable/pages(from:wanted:onFailure:next:page:)``.
    ///
    /// - Parameters:
    ///   - type: the type of a page.
    ///   - paging: finds the next page.
    ///   - wanted: emits when a further page is wanted; without it all pages are requested.
    ///   - onFailure: returns a stream whose next element triggers a retry of the failed page.
    public func pages<Page: RawDecodable>(
        _ type: Page.Type, _ paging: Paging<Page>, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) }
    ) -> AnyNode<Input, Page> where Page.Raw: ResponseBodyConvertible {
        pages(paging, wanted, onFailure) { $0.output(type) }
    }

    private func pages<Page: Sendable>(
        _ paging: Paging<Page>, _ wanted: Observable<Void>?, _ onFailure: @escaping @Sendable (any Error) -> Observable<Void>,
        _ output: @escaping @Sendable (Self) -> AnyNode<Input, Page>
    ) -> AnyNode<Input, Page> {
        .cold(names: ["pages", description], delivery: settings.delivery) { input in
            .pages(from: paging.first, wanted: wanted, onFailure: onFailure, next: paging.next) { query in
                output(self.query(query)).stream(input)
            }
        }
    }

    /// Writes the response into a file, atomically, and emits the progress; see ``DownloadNode``.
    public func download(to target: URL) -> AnyNode<Input, Download> {
        streaming("download") { DownloadNode(transport: $0, to: target) }
    }

    /// Emits the events of the transfer: upload progress, the head, each chunk of the body, the metrics. HTTP errors are not errors of this
    /// stream, which therefore does not refresh access.
    public var transfer: AnyNode<Input, TransferEvent> {
        streaming("transfer", heads: { _ in true }) { transport in AnyNode { transport.exchangedTransfer($0) } }
    }

    /// Emits server-sent events as they are received, over as many connections as necessary; see ``ServerSentEventsNode``.
    ///
    /// Timeouts apply to each connection; there are none by default.
    public func events(reconnection: ServerSentEventsNode.Reconnection? = ServerSentEventsNode.Reconnection()) -> AnyNode<
        Input, ServerSentEvent
    > {
        withoutIdleTimeout.streaming("serverSentEvents") { ServerSentEventsNode(transport: $0, reconnection: reconnection) }
    }

    /// Emits the decoded data of server-sent events.
    public func events<Output: Decodable & Sendable>(
        _ type: Output.Type, reconnection: ServerSentEventsNode.Reconnection? = ServerSentEventsNode.Reconnection()
    ) -> AnyNode<Input, Output> {
        let events = events(reconnection: reconnection)
        return .cold(names: [events.description], delivery: settings.delivery) { [decoder = settings.makeDecoder()] input in
            events.stream(input).map { try Data($0.data.utf8).decodeJSON(type, using: decoder) }
        }
    }

    /// Builds a node whose outputs are emitted while the response is received. The middlewares are around the transfer: a retry begins the
    /// transfer again.
    ///
    /// - Parameters:
    ///   - name: the name of the receiver in the description.
    ///   - isWanted: returns whether the middlewares receive a head; the receiver fails for the others.
    ///   - makeReceiver: makes the receiver that turns a transfer into outputs.
    private func streaming<Receiver: Node<HTTPRequest, Output>, Output: Sendable>(
        _ name: String, heads isWanted: @escaping @Sendable (HTTPResponse.Head) -> Bool = { $0.status < 400 },
        _ makeReceiver: @escaping @Sendable (any Transport) -> Receiver
    ) -> AnyNode<Input, Output> {
        let middlewares = settings.streamingMiddlewares
        return node([name], around: middlewares) { [settings, transport = settings.transport] request in
            .deferred {
                let outputs = PublishSubject<Output>()
                let isComplete = Lock(false)
                let exchange = middlewares.around { request in
                    .deferred {
                        let heads = PublishSubject<HTTPResponse>()
                        let transport = HeadReportingTransport(transport: transport) {
                            if isWanted($0) { heads.onNext(HTTPResponse(head: $0)) }
                        }
                        let end = makeReceiver(transport).stream(request).do(
                            onNext: { outputs.onNext($0) },
                            onCompleted: {
                                isComplete.withLock { $0 = true }
                                heads.onCompleted()
                            })
                        return .merge(heads.asObservable(), end.compactMap { _ in HTTPResponse?.none })
                    }
                }
                let end = exchange(request).compactMap { _ in Output?.none }.do(onCompleted: {
                    guard isComplete.withLock({ $0 }) else { throw TransportError.noResponse }
                    outputs.onCompleted()
                })
                return settings.judgedErrors(.merge(outputs.asObservable(), end))
            }
        }
    }

    /// This chain without an idle timeout, unless it has timeouts of its own.
    var withoutIdleTimeout: Self {
        changing { $0.completion.timeouts = $0.completion.timeouts ?? HTTPRequest.Timeouts(idle: nil) }
    }
}

/// A transport that reports each head that it receives, before it emits it.
private struct HeadReportingTransport: Transport {
    let transport: any Transport
    let report: @Sendable (HTTPResponse.Head) -> Void

    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        transport.loggedTransfer(request).do(onNext: { [report] event in
            if case .head(let head) = event { report(head) }
        })
    }
}
