/// What is put in around one stage of a chain, or in its place.
struct StageEdits: Sendable {
    var before: [any ChainStep] = []
    var replacement: (any ChainStep)?
    var after: [any ChainStep] = []
}

extension URLChain {
    /// Puts a step of your own before the node of a stage, behind the steps that were put there before.
    public func inserting<Step: ChainStep, Target>(_ step: Step, before stage: ChainStage<Step.Value, Target>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].before.append(step) }
    }

    /// Puts a step of your own after the node of a stage, behind the steps that were put there before.
    public func inserting<Step: ChainStep, Source>(_ step: Step, after stage: ChainStage<Source, Step.Value>) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].after.append(step) }
    }

    /// Puts a step of your own in place of the node of a stage.
    public func replacing<Step: ChainStep>(_ stage: ChainStage<Step.Value, Step.Value>, with step: Step) -> Self {
        changing { $0.edits[stage.name, default: StageEdits()].replacement = step }
    }
}

/// How the nodes follow one another.
extension ChainSettings {
    /// The nodes around an exchange of request and response, from the raw data on.
    func assembled<Output: Sendable>(around exchange: any Node<HTTPRequest, Output>) -> any Node<AnyRequestBody, Output> {
        let request = requestPart(around: exchange)
        let transformator = URLRequestTransformatorNode<AnyRequestBody, Output>(
            method: method, next: placing(edits["URLRequestTransformatorNode"]?.after, before: request))
        let encoder = RequestEncoderNode(
            encoding: encoding,
            next: placing(
                edits["RequestEncoderNode"]?.after, before: placing(edits["URLRequestTransformatorNode"]?.before, before: transformator)))
        let queried = place(.urlQueryInjector, before: placing(edits["RequestEncoderNode"]?.before, before: encoder)) { next in
            queries.reversed().reduce(next) { URLQueryInjectorNode(query: $1, next: $0) }
        }
        let router = RequestRouterNode(route: route, next: placing(edits["RequestRouterNode"]?.after, before: queried))
        let metadata = MetadataConnectorNode(
            metadata: metadata,
            next: placing(edits["MetadataConnectorNode"]?.after, before: placing(edits["RequestRouterNode"]?.before, before: router)))
        return placing(edits["MetadataConnectorNode"]?.before, before: metadata)
    }

    /// From the request without headers on: the same for a request that only asks the cache, so that both have the same key.
    private func requestPart<Output: Sendable>(around exchange: any Node<HTTPRequest, Output>) -> any Node<HTTPRequest, Output> {
        let sender = placing(edits["RequestSenderNode"]?.before, before: exchange)
        let mapped = place(.technicalErrorMapper, before: sender) { TechnicalErrorMapperNode(next: $0) }
        let creator = place(.requestCreator, before: placing(steps, before: mapped)) {
            RequestCreatorNode(providers: providers, timeouts: timeouts, redirects: redirects, limits: limits, next: $0)
        }
        return place(.accessSafe, before: creator) { next in
            guard let access else { return next }
            return AccessSafeNode(refresher: access.refresher, on: access.statuses, next: next)
        }
    }

    /// From the whole response to what `parser` makes of it.
    func responsePart<Output: Sendable>(_ parser: any Node<HTTPResponse, Output>) -> any Node<HTTPResponse, Output> {
        let judged = place(.responseHttpErrorProcessor, before: parser) { ResponseHttpErrorProcessorNode(makeError: makeError, next: $0) }
        return placing(edits["ResponseProcessorNode"]?.after, before: judged)
    }

    /// Sends the request and hands its response on.
    func sender<Output: Sendable>(_ next: any Node<HTTPResponse, Output>) -> any Node<HTTPRequest, Output> {
        let processor = placing(edits["ResponseProcessorNode"]?.before, before: ResponseProcessorNode(next: next))
        return RequestSenderNode(
            transport: transport, discardsBodies: discardsBodies && !usesBodies,
            next: placing(edits["RequestSenderNode"]?.after, before: processor))
    }

    /// Whether something other than the parser may look at the body of a good response.
    private var usesBodies: Bool {
        guard cache == nil else { return true }
        let steps =
            (edits["RequestSenderNode"]?.after ?? []) + allSteps(at: "ResponseProcessorNode")
            + allSteps(at: "ResponseHttpErrorProcessorNode")
        return steps.contains { ($0 as? any BodyIgnoringStep)?.ignoresBody != true }
    }

    private func allSteps(at stage: String) -> [any ChainStep] {
        guard let edits = edits[stage] else { return [] }
        return edits.before + [edits.replacement].compactMap { $0 } + edits.after
    }
}

/// What the chain's user has put in.
extension ChainSettings {
    private func placing<Value: Sendable, Output: Sendable>(
        _ steps: [any ChainStep]?, before next: any Node<Value, Output>
    ) -> any Node<Value, Output> {
        (steps ?? []).reversed().reduce(next) { next, step in (step as? any ChainStep<Value>)?.node(before: next) ?? next }
    }

    private func place<Value: Sendable, Output: Sendable>(
        _ stage: ChainStage<Value, Value>, before next: any Node<Value, Output>,
        _ make: (any Node<Value, Output>) -> any Node<Value, Output>
    ) -> any Node<Value, Output> {
        let edits = edits[stage.name] ?? StageEdits()
        let inner = placing(edits.after, before: next)
        let own = (edits.replacement as? any ChainStep<Value>)?.node(before: inner) ?? make(inner)
        return placing(edits.before, before: own)
    }
}

extension URLChain: CustomStringConvertible {
    /// The nodes in the order in which a request meets them.
    public var description: String {
        var names: [String] = []
        if settings.delivery != nil { names.append("ChainConfiguratorNode") }
        if settings.log != nil { names.append("LoggerNode") }
        if settings.indicator != nil { names.append("LoadIndicatableNode") }
        names.append(Input.self == Void.self ? "VoidInputNode" : "ModelInputNode")
        if let policy = settings.cache?.policyName { names.append(policy) }
        return (names + settings.buildingNames + settings.exchangeNames).joined(separator: " > ")
    }
}

extension ChainSettings {
    fileprivate var buildingNames: [String] {
        names("MetadataConnectorNode") + names("RequestRouterNode")
            + names("URLQueryInjectorNode", queries.map { _ in "URLQueryInjectorNode" })
            + names("RequestEncoderNode") + names("URLRequestTransformatorNode")
    }

    fileprivate var exchangeNames: [String] {
        var names = names("AccessSafeNode", access == nil ? [] : ["AccessSafeNode"])
        names += self.names("RequestCreatorNode") + steps.map(\.name) + self.names("TechnicalErrorMapperNode")
        names += edits["RequestSenderNode"]?.before.map(\.name) ?? []
        if let cache { names += [cache.saverName, "ETagReaderNode", "NotModifiedTriggerNode"] }
        names.append("RequestSenderNode")
        names += edits["RequestSenderNode"]?.after.map(\.name) ?? []
        return names + self.names("ResponseProcessorNode") + self.names("ResponseHttpErrorProcessorNode")
    }

    private func names(_ stage: String) -> [String] {
        names(stage, [stage])
    }

    private func names(_ stage: String, _ own: [String]) -> [String] {
        let edits = edits[stage] ?? StageEdits()
        return edits.before.map(\.name) + (edits.replacement.map { [$0.name] } ?? own) + edits.after.map(\.name)
    }
}
