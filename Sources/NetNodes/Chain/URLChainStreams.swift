public import Foundation
public import Streams

/// Outputs with more than one element.
extension URLChain where Stage == Routed {
    /// Emits the values in the lines of the response, each as soon as it is received; see ``JSONLinesNode``.
    ///
    /// There is no timeout by default.
    public func lines<Output: Decodable & Sendable>(_ type: Output.Type) -> AnyNode<Input, Output> {
        withoutIdleTimeout.buildRequest(
            JSONLinesNode<Output>(transport: settings.transport, decoder: settings.makeDecoder), "JSONLinesNode")
    }

    /// Emits one page after another; see ``PagerNode``.
    ///
    /// - Parameters:
    ///   - type: the type of a page.
    ///   - paging: how the next page is found.
    ///   - wanted: emits when a further page is wanted; without it all pages are requested.
    ///   - onFailure: returns a stream whose next element triggers a retry of the failed page.
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

    /// Writes the response into a file, atomically, and emits the progress; see ``DownloadNode``.
    public func download(to target: URL) -> AnyNode<Input, Download> {
        buildRequest(DownloadNode(transport: settings.transport, to: target), "DownloadNode")
    }

    /// Emits the events of the transfer: upload progress, the head, each chunk of the body, the metrics. HTTP errors are not errors of the
    /// stream.
    public var transfer: AnyNode<Input, TransferEvent> {
        buildRequest(AnyNode { [transport = settings.transport] in transport.transfer($0) }, nil)
    }

    /// This chain without an idle timeout, unless it has timeouts of its own.
    var withoutIdleTimeout: Self {
        changing { $0.timeouts = $0.timeouts ?? HTTPRequest.Timeouts(idle: nil) }
    }
}
