import Streams

extension CachedResponse {
    /// The way in which a chain uses stored responses. In each case requests are conditional if the stored response has a validator.
    public enum Policy: Sendable {
        /// Always asks the network; a 304 is replaced by the stored response.
        case revalidate
        /// Emits the stored response immediately, and then the network's: two outputs. One that the server wants to confirm first is not
        /// emitted (`no-cache`, and `must-revalidate` when it is no longer fresh).
        case first
        /// Emits the stored response if the connection fails, unless the server wants to confirm it first.
        case ifConnectionFails
    }
}

/// The cache of a chain.
struct ChainCache: Sendable {
    let store: ResponseStore
    let policy: CachedResponse.Policy

    var policyName: String? {
        switch policy {
        case .revalidate: nil
        case .first: "precededByCached"
        case .ifConnectionFails: "ifConnectionFails"
        }
    }

    /// The middlewares that store responses, make requests conditional and replace a 304.
    var middlewares: [HTTPMiddleware] {
        let saver =
            switch policy {
            case .revalidate: HTTPMiddleware(.storingValidated(in: store))
            case .first, .ifConnectionFails: HTTPMiddleware(.storing(in: store))
            }
        return [saver, HTTPMiddleware(.conditional(on: store)), HTTPMiddleware(.replacingNotModified(from: store))]
    }

    /// Combines the outputs of the stored and of the network's response according to the policy.
    func combining<Output>(stored: Observable<Output>, network: Observable<Output>) -> Observable<Output> {
        switch policy {
        case .revalidate: network
        case .first: network.precededByCached(stored)
        case .ifConnectionFails: network.ifConnectionFails(use: stored)
        }
    }
}

extension URLChain {
    /// Caches responses to GET and HEAD according to the policy.
    ///
    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - policy: decides when a stored response is used.
    ///   - varying: the relevant request headers, in addition to those that a response lists in `Vary`.
    public func cached(
        in cache: any ResponseCache, _ policy: CachedResponse.Policy = .revalidate, varying: [String] = CachedResponse.Key.usualHeaders
    ) -> Self {
        changing { $0.cache = ChainCache(store: ResponseStore(cache: cache, varying: varying), policy: policy) }
    }
}
