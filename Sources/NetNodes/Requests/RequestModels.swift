/// Data that accompanies the raw data, independent of the transport; HTTP transmits it as headers.
public typealias Metadata = [String: String]

/// A request that consists of its data only.
public struct RequestModel<Raw: Sendable>: Sendable {
    /// The metadata.
    public var metadata: Metadata
    /// The data.
    public var raw: Raw

    /// Creates a request that has no destination yet.
    @inlinable @inline(__always)
    public init(metadata: Metadata = [:], raw: Raw) {
        self.metadata = metadata
        self.raw = raw
    }
}

/// A request with its destination and the encoding of its raw data.
public struct RoutedRequest<Raw: Sendable, Route: Sendable>: Sendable {
    /// The metadata.
    public var metadata: Metadata
    /// The data.
    public var raw: Raw
    /// The destination.
    public var route: Route
    /// The encoding of `raw`.
    public var encoding: RequestEncoding

    /// Creates a request with a destination.
    @inlinable @inline(__always)
    public init(metadata: Metadata = [:], raw: Raw, route: Route, encoding: RequestEncoding = .automatic) {
        self.metadata = metadata
        self.raw = raw
        self.route = route
        self.encoding = encoding
    }
}
