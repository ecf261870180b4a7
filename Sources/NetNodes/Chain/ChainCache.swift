/// What a chain does with stored responses. In each case the server is asked only for what has changed, where it tells versions apart.
public enum CachePolicy: Sendable {
    /// The network's answer; a 304 gives what is stored.
    case revalidate
    /// What is stored at once, and then the network's answer: two outputs. See ``FirstCachePolicyNode``.
    case first
    /// What is stored where the connection fails. See ``IfConnectionFailedFromCacheNode``.
    case ifConnectionFails
}

/// The cache of a chain.
struct ChainCache: Sendable {
    let cache: any ResponseCache
    let policy: CachePolicy
    let varying: [String]

    var policyName: String? {
        switch policy {
        case .revalidate: nil
        case .first: "FirstCachePolicyNode"
        case .ifConnectionFails: "IfConnectionFailedFromCacheNode"
        }
    }

    var saverName: String { policyName == nil ? "ETagSaverNode" : "URLCacheWriterNode" }

    /// `network`, which stores what comes and asks only for what has changed.
    func storing(_ network: any Node<HTTPRequest, HTTPResponse>) -> any Node<HTTPRequest, HTTPResponse> {
        let trigger = NotModifiedTriggerNode(cache: cache, varying: varying, next: network)
        let reader = ETagReaderNode(cache: cache, varying: varying, next: trigger)
        guard policyName != nil else { return ETagSaverNode(cache: cache, varying: varying, next: reader) }
        return URLCacheWriterNode(cache: cache, varying: varying, next: reader)
    }

    /// What is stored and what the network answers, as the policy says.
    func combining<Input: Sendable, Output: Sendable>(
        stored: any Node<Input, Output>, network: any Node<Input, Output>
    ) -> any Node<Input, Output> {
        switch policy {
        case .revalidate: network
        case .first: FirstCachePolicyNode(cache: stored, next: network)
        case .ifConnectionFails: IfConnectionFailedFromCacheNode(cache: stored, next: network)
        }
    }
}

extension URLChain {
    /// Keeps responses to GET and HEAD, and uses what is kept as the policy says.
    ///
    /// - Parameter varying: the request headers that make a difference, beside those that a response names in `Vary`.
    public func cached(
        in cache: any ResponseCache, _ policy: CachePolicy = .revalidate, varying: [String] = CacheKey.usualHeaders
    ) -> Self {
        changing { $0.cache = ChainCache(cache: cache, policy: policy, varying: varying) }
    }
}
