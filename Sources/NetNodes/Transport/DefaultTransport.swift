#if os(Linux)
    /// The default transport of this platform.
    public typealias DefaultTransport = CurlTransport
#else
    /// The default transport of this platform.
    public typealias DefaultTransport = URLSessionTransport
#endif

extension Transport where Self == DefaultTransport {
    /// The shared transport: its connections are reused by all chains.
    public static var shared: DefaultTransport { sharedTransport }
}

private let sharedTransport = DefaultTransport()
