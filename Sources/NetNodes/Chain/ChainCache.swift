/// How a chain uses stored responses. In each case requests are conditional if the stored response has a validator.
public enum CachePolicy: Sendable {
    /// Always asks the network; a 304 is replaced by the stored response.
    case revalidate
    /// Emits the stored response immediately, and then the network's: two outputs. See ``FirstCachePolicyNode``.
    case first
    /// Emits the stored response if the connection fails. See ``IfConnectionFailedFromCacheNode``.
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

    /// Returns `network` with conditional requests and stored responses.
    func storing(_ network: any Node<HTTPRequest, HTTPResponse>) -> any Node<HTTPRequest, HTTPResponse> {
        let trigger = NotModifiedTriggerNode(cache: cache, varying: varying, next: network)
        let reader = ETagReaderNode(cache: cache, varying: varying, next: trigger)
        guard policyName != nil else { return ETagSaverNode(cache: cache, varying: varying, next: reader) }
        return URLCacheWriterNode(cache: cache, varying: varying, next: reader)
    }

    /// Combines the stored and the network's response according to the policy.
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
    /// Caches responses to GET and HEAD according to the policy.
    ///
    /// - Parameters:
    ///   - cache: where responses are stored.
    ///   - policy: when a stored response is used.
    ///   - varying: the relevant request headers, in addition to those that a response lists in `Vary`.
    public func cached(
        in cache: any ResponseCache, _ policy: CachePolicy = .revalidate, varying: [String] = CacheKey.usualHeaders
    ) -> Self {
        changing { $0.cache = ChainCache(cache: cache, policy: policy, varying: varying) }
    }
}
