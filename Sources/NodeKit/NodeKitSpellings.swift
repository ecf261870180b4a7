public import NetNodes

/// NodeKit's name of `HTTPError`.
public typealias HttpError = HTTPError

// Spellings of NodeKit that are not declared here, so that the compiler can name the replacement.

/// NodeKit's spelling.
@available(*, unavailable, renamed: "RequestEncoderNode")
public typealias RequstEncoderNode<Raw: Sendable, Route: Sendable, Output: Sendable> = RequestEncoderNode<Raw, Route, Output>

/// NodeKit's spelling.
@available(*, unavailable, renamed: "URLRequestTransformatorNode")
public typealias UrlRequestTrasformatorNode<Raw: RequestBodyConvertible, Output: Sendable> = URLRequestTransformatorNode<Raw, Output>

/// NodeKit's spelling.
@available(*, unavailable, renamed: "URLRequestTransformatorNode")
public typealias URLRequestTrasformatorNode<Raw: RequestBodyConvertible, Output: Sendable> = URLRequestTransformatorNode<Raw, Output>

/// NodeKit's spelling.
@available(*, unavailable, renamed: "TechnicalErrorMapperNode")
public typealias TechnicaErrorMapperNode<Input: Sendable, Output: Sendable> = TechnicalErrorMapperNode<Input, Output>

/// NodeKit's spelling.
@available(*, unavailable, renamed: "JSON")
public typealias Json = JSON

/// NodeKit's builder of chains.
@available(*, unavailable, message: "use URLChain().route(.get, url).output(Model.self)")
public typealias UrlChainsBuilder = URLChain<Unrouted, Void>
