public import Streams

/// Adds metadata to the data, independently of how a transport transmits it.
///
/// Operator: ``Streams/ObservableType/metadata(_:)``.
public struct MetadataConnectorNode<Raw: Sendable, Output: Sendable>: Node {
    private let metadata: Metadata
    private let next: any Node<RequestModel<Raw>, Output>

    /// Creates a node that adds `metadata` to what it passes to `next`.
    public init(metadata: Metadata = [:], next: any Node<RequestModel<Raw>, Output>) {
        self.metadata = metadata
        self.next = next
    }

    public func stream(_ input: Raw) -> Observable<Output> {
        next.stream(RequestModel(metadata: metadata, raw: input))
    }
}

extension ObservableType {
    /// Emits each element as a request that carries it, with metadata.
    public func metadata(_ metadata: Metadata) -> Observable<RequestModel<Element>> {
        map { RequestModel(metadata: metadata, raw: $0) }
    }
}
