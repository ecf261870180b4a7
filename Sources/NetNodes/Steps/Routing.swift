public import Streams

extension StepMap {
    /// Adds metadata to raw data.
    static func metadata(_ metadata: Metadata) -> StepMap where Output == RequestModel<Input> {
        StepMap("MetadataConnectorNode") { RequestModel(metadata: metadata, raw: $0) }
    }

    /// Sets the destination of a request.
    static func routing<Raw, Route>(to route: Route) -> StepMap where Input == RequestModel<Raw>, Output == RoutedRequest<Raw, Route> {
        StepMap("RequestRouterNode") { RoutedRequest(metadata: $0.metadata, raw: $0.raw, route: route) }
    }
}

extension ObservableType {
    /// Emits each element as a request that carries it, with metadata.
    public func metadata(_ metadata: Metadata) -> Observable<RequestModel<Element>> {
        through(.metadata(metadata))
    }

    /// Emits each request with its destination.
    public func route<Raw, Route: Sendable>(_ route: Route) -> Observable<RoutedRequest<Raw, Route>> where Element == RequestModel<Raw> {
        through(.routing(to: route))
    }
}
