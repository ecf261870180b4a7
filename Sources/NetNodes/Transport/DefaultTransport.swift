#if os(Linux)
    /// The transport that this platform uses unless told otherwise.
    public typealias DefaultTransport = CurlTransport
#else
    /// The transport that this platform uses unless told otherwise.
    public typealias DefaultTransport = URLSessionTransport
#endif

extension Transport where Self == DefaultTransport {
    /// One transport for all: connections are kept and used again by whoever asks.
    public static var shared: DefaultTransport { sharedTransport }
}

private let sharedTransport = DefaultTransport()
