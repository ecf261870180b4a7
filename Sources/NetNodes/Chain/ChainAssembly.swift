import Streams

/// The order of the nodes: the one list from which a chain is built, printed and edited.
extension ChainSettings {
    /// The nodes around the whole chain.
    func outerNodes<Input: Sendable, Output: Sendable>(_ input: Input.Type, _ output: Output.Type) -> [ChainNode] {
        typealias Next = any Node<Input, Output>
        let configurator = delivery.map { delivery in
            ChainNode("ChainConfiguratorNode") { (next: Next) in ChainConfiguratorNode(deliverOn: delivery, next: next) }
        }
        let logger = log.map { log in
            ChainNode("LoggerNode") { (next: Next) in LoggerNode(filter: log.filter, sink: log.sink, next: next) }
        }
        let indicator = indicator.map { indicator in
            ChainNode("LoadIndicatableNode") { (next: Next) in LoadIndicatableNode(indicator: indicator, next: next) }
        }
        let mappers = translations.reversed().map { translation in
            ChainNode("ErrorMapperNode") { (next: Next) in ErrorMapperNode(translation, next: next) }
        }
        return [configurator, logger, indicator].compactMap { $0 } + mappers
    }

    /// The nodes from the raw data to the complete HTTP request.
    func requestNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        typealias Raw = AnyRequestBody
        typealias Routed = RoutedRequest<Raw, any URLRouteProvider>
        let metadata = ChainNode("MetadataConnectorNode") { [metadata] (next: any Node<RequestModel<Raw>, Output>) in
            MetadataConnectorNode(metadata: metadata, next: next)
        }
        let router = ChainNode("RequestRouterNode") { [route] (next: any Node<Routed, Output>) in
            RequestRouterNode(route: route, next: next)
        }
        let injectors = queries.map { query in
            ChainNode("URLQueryInjectorNode") { (next: any Node<Routed, Output>) in URLQueryInjectorNode(query: query, next: next) }
        }
        let encoder = ChainNode("RequestEncoderNode") {
            [encoding] (next: any Node<EncodableRequest<Raw, any URLRouteProvider>, Output>) in
            RequestEncoderNode(encoding: encoding, next: next)
        }
        let transformator = ChainNode("URLRequestTransformatorNode") { [method] (next: any Node<HTTPRequest, Output>) in
            URLRequestTransformatorNode<Raw, Output>(method: method, next: next)
        }
        return placing("MetadataConnectorNode", [metadata], output) + placing("RequestRouterNode", [router], output)
            + placing("URLQueryInjectorNode", injectors, output) + placing("RequestEncoderNode", [encoder], output)
            + placing("URLRequestTransformatorNode", [transformator], output) + preparingNodes(output)
    }

    /// The nodes from the request without headers on: the same for a request that only reads the cache, so that both have the same key.
    private func preparingNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        let access = access.map { access in
            ChainNode("AccessSafeNode") { (next: any Node<HTTPRequest, Output>) in
                AccessSafeNode(refresher: access.refresher, on: access.statuses, next: next)
            }
        }
        let creator = ChainNode("RequestCreatorNode") { [providers, timeouts, redirects, limits] (next: any Node<HTTPRequest, Output>) in
            RequestCreatorNode(providers: providers, timeouts: timeouts, redirects: redirects, limits: limits, next: next)
        }
        let mapper = ChainNode("TechnicalErrorMapperNode") { (next: any Node<HTTPRequest, Output>) in TechnicalErrorMapperNode(next: next) }
        return placing("AccessSafeNode", access.map { [$0] } ?? [], output) + placing("RequestCreatorNode", [creator], output)
            + steps.map { ChainNode($0, output) } + placing("TechnicalErrorMapperNode", [mapper], output)
            + before("RequestSenderNode", output)
    }

    /// The nodes from the HTTP request to its response.
    private func sendingNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        let discards = discardsBodies && !usesBodies
        let sender = ChainNode("RequestSenderNode") { [transport] (next: any Node<Result<HTTPResponse, any Error>, Output>) in
            RequestSenderNode(transport: transport, discardsBodies: discards, next: next)
        }
        let processor = ChainNode("ResponseProcessorNode") { (next: any Node<HTTPResponse, Output>) in ResponseProcessorNode(next: next) }
        return [sender] + after("RequestSenderNode", output) + before("ResponseProcessorNode", output) + [processor]
    }

    /// The nodes from the HTTP request to its response, through the cache if there is one.
    func exchangeNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        guard let cache else { return sendingNodes(output) }
        let sending = sendingNodes(HTTPResponse.self)
        let response: any Node<HTTPRequest, HTTPResponse> = sending.node(before: AnyNode<HTTPResponse, HTTPResponse>.cold { .just($0) })
        let stored = cache.storing(response)
        let names = [cache.saverName, "ETagReaderNode", "NotModifiedTriggerNode"] + sending.flatMap(\.names)
        return [
            ChainNode(names) { (next: any Node<HTTPResponse, Output>) in
                AnyNode<HTTPRequest, Output>.cold { request in stored.stream(request).concatMap { next.stream($0) } }
            }
        ]
    }

    /// The nodes from the response to the one that is parsed: its status is checked.
    func statusNodes<Output: Sendable>(_ output: Output.Type) -> [ChainNode] {
        let judge = ChainNode("ResponseHttpErrorProcessorNode") { [makeError] (next: any Node<HTTPResponse, Output>) in
            ResponseHttpErrorProcessorNode(makeError: makeError, next: next)
        }
        return after("ResponseProcessorNode", output) + placing("ResponseHttpErrorProcessorNode", [judge], output)
    }

    /// The nodes that the cache policy adds before the request: the same request, responded to by the cache alone.
    func policyNodes<Output: Sendable>(_ parsing: [ChainNode], before last: any Node, _ output: Output.Type) -> [ChainNode] {
        guard let cache, let policyName = cache.policyName else { return [] }
        var storedSettings = self
        storedSettings.access = nil
        let reader = ChainNode("URLCacheReaderNode") { (next: any Node<HTTPResponse, Output>) in
            URLCacheReaderNode(cache: cache.cache, varying: cache.varying, next: next)
        }
        let nodes = storedSettings.requestNodes(output) + [reader] + statusNodes(output) + parsing
        let stored: any Node<AnyRequestBody, Output> = nodes.node(before: last)
        return [
            ChainNode(policyName) { (network: any Node<AnyRequestBody, Output>) in
                let combined = cache.combining(stored: stored, network: network)
                return AnyNode<AnyRequestBody, Output>.cold { combined.stream($0) }
            }
        ]
    }
}
