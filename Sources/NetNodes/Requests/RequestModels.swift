/// What is said beside the raw data, in terms of no particular transport; for HTTP these become headers.
public typealias Metadata = [String: String]

/// A request that knows only what it carries.
public struct RequestModel<Raw: Sendable>: Sendable {
    /// What is said beside the data.
    public var metadata: Metadata
    /// What is carried.
    public var raw: Raw

    @inlinable @inline(__always)
    public init(metadata: Metadata = [:], raw: Raw) {
        self.metadata = metadata
        self.raw = raw
    }
}

/// A request that knows where it goes.
public struct RoutedRequest<Raw: Sendable, Route: Sendable>: Sendable {
    /// What is said beside the data.
    public var metadata: Metadata
    /// What is carried.
    public var raw: Raw
    /// Where it goes.
    public var route: Route

    @inlinable @inline(__always)
    public init(metadata: Metadata = [:], raw: Raw, route: Route) {
        self.metadata = metadata
        self.raw = raw
        self.route = route
    }
}

/// A request that knows how its raw data is to be encoded.
public struct EncodableRequest<Raw: Sendable, Route: Sendable>: Sendable {
    /// What is said beside the data.
    public var metadata: Metadata
    /// What is carried.
    public var raw: Raw
    /// Where it goes.
    public var route: Route
    /// How `raw` is to be written.
    public var encoding: RequestEncoding

    @inlinable @inline(__always)
    public init(metadata: Metadata = [:], raw: Raw, route: Route, encoding: RequestEncoding = .automatic) {
        self.metadata = metadata
        self.raw = raw
        self.route = route
        self.encoding = encoding
    }
}
