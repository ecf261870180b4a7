public import Foundation
public import Streams

/// What comes in more than one piece.
extension URLChain where Stage == Routed {
    /// The values in the lines of the response, each as soon as it has come; see ``JSONLinesNode``.
    ///
    /// There is no limit of time unless the chain sets it.
    public func lines<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        unhurried.buildRequest(JSONLinesNode<Output>(transport: settings.transport, decoder: settings.makeDecoder), "JSONLinesNode")
    }

    /// One page after another; see ``PagerNode``.
    ///
    /// - Parameters:
    ///   - wanted: sends when a further page is wanted; without it pages follow one another.
    ///   - onFailure: when what it gives sends, the page that failed is asked for again.
    public func pages<Page: Decodable & Sendable>(
        _ type: Page.Type, _ paging: Paging<Page>, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) }
    ) -> AnyNode<Input, Page> {
        AnyNode { input in
            .pages(from: paging.first, wanted: wanted, onFailure: onFailure, next: paging.next) { query in
                self.query(query).output(type).stream(input)
            }
        }
    }

    /// The response in a file, which is there whole or not at all, and on the way how far it is; see ``DownloadNode``.
    public func download(to target: URL) -> AnyNode<Input, Download> {
        buildRequest(DownloadNode(transport: settings.transport, to: target), "DownloadNode")
    }

    /// What happens on the way, event by event: how far an upload is, the head, each piece of the body, the metrics. A bad status is no error.
    public var transfer: AnyNode<Input, TransferEvent> {
        buildRequest(AnyNode { [transport = settings.transport] in transport.transfer($0) }, nil)
    }

    /// This chain without a limit between two signs of life, unless it was told limits.
    var unhurried: Self {
        changing { $0.timeouts = $0.timeouts ?? HTTPRequest.Timeouts(idle: nil) }
    }
}
