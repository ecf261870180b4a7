public import NetNodes
public import Streams

/// Responds to a request from a cache. If nothing is stored that may be used before the server has confirmed it, it fails with
/// `CachedResponse.Failure.miss(url:)`.
///
/// Operator: `cached(in:varying:)`.
public struct URLCacheReaderNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPResponse, Output>
    public let next: any Node<HTTPResponse, Output>

    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - varying: the relevant request headers; must be the same as for the storing node.
    ///   - next: processes the response, for example parses it.
    public init(cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders, next: any Node<HTTPResponse, Output>) {
        (step, self.next) = (.cached(in: ResponseStore(cache: cache, varying: varying)), next)
    }
}

/// Stores every cacheable response, and forwards all responses.
///
/// A response is forwarded immediately; the stream completes when it has been stored. A store operation continues after a disposal. A
/// failure to store is logged and is not an error. Operator: `storing(in:for:varying:)`.
public struct URLCacheWriterNode: StepNode {
    public let step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>
    public let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - varying: the relevant request headers; must be the same as for the reading node.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        (step, self.next) = (.storing(in: ResponseStore(cache: cache, varying: varying)), next)
    }
}

/// Stores the responses that have an `ETag` or a `Last-Modified`, so that the next request can be conditional.
///
/// Otherwise like ``URLCacheWriterNode``. Operator: `storingValidated(in:for:varying:)`.
public struct ETagSaverNode: StepNode {
    public let step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>
    public let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - varying: the relevant request headers; must be the same as for ``ETagReaderNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        (step, self.next) = (.storingValidated(in: ResponseStore(cache: cache, varying: varying)), next)
    }
}

/// Makes a request conditional: adds `If-None-Match` with the stored `ETag`, and `If-Modified-Since` with the stored `Last-Modified`,
/// unless the request has one of them already.
///
/// Operator: `conditional(on:varying:)`.
public struct ETagReaderNode<Output: Sendable>: StepNode {
    public let step: Step<HTTPRequest, Output, HTTPRequest, Output>
    public let next: any Node<HTTPRequest, Output>

    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders, next: any Node<HTTPRequest, Output>) {
        (step, self.next) = (.conditional(on: ResponseStore(cache: cache, varying: varying)), next)
    }
}

/// Replaces a 304 by the stored response.
///
/// If the stored response was removed or replaced meanwhile, or the request came with other conditions, the request is repeated without
/// conditions. Operator:
/// `replacingNotModified(from:for:varying:)`.
public struct NotModifiedTriggerNode: StepNode {
    public let step: Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>
    public let next: any Node<HTTPRequest, HTTPResponse>

    /// - Parameters:
    ///   - cache: the cache that stores responses.
    ///   - varying: the relevant request headers; must be the same as for ``ETagSaverNode``.
    ///   - next: the node after it.
    public init(cache: any ResponseCache, varying: [String] = CachedResponse.Key.usualHeaders, next: any Node<HTTPRequest, HTTPResponse>) {
        (step, self.next) = (.replacingNotModified(from: ResponseStore(cache: cache, varying: varying)), next)
    }
}

/// Emits the cached response and then the network's response: two outputs if both are available.
///
/// A miss, and any other error of the cache, is ignored, since the network's response follows. Operator:
/// `precededByCached(_:)`.
public struct FirstCachePolicyNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: the chain that ends with a ``URLCacheReaderNode``.
    ///   - next: the chain to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        (step, self.next) = (.precededByCached { cache.stream($0) }, next)
    }
}

/// Emits the network's response, or the cached one if the connection fails.
///
/// Only a technical error falls back to the cache: HTTP errors and decoding errors are forwarded. If the cache has no response, the
/// technical error is forwarded too. Operator: `ifConnectionFails(use:)`.
public struct IfConnectionFailedFromCacheNode<Input: Sendable, Output: Sendable>: StepNode {
    public let step: Step<Input, Output, Input, Output>
    public let next: any Node<Input, Output>

    /// - Parameters:
    ///   - cache: the chain that ends with a ``URLCacheReaderNode``.
    ///   - next: the chain to the network.
    public init(cache: any Node<Input, Output>, next: any Node<Input, Output>) {
        (step, self.next) = (.ifConnectionFails { cache.stream($0) }, next)
    }
}
