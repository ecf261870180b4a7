/// The servers that a connection may use, in the order in which they are tried.
struct ServerPool: Sendable {
    /// How many servers a cluster may tell of; further ones are ignored, for each is tried before a delay.
    static let maximumDiscovered = 256

    private(set) var addresses: [ServerAddress]
    private let given: [ServerAddress]
    private var next = 0

    init(_ addresses: [ServerAddress]) {
        self.addresses = addresses
        given = addresses
    }

    var count: Int { addresses.count }

    /// The server of the next attempt.
    mutating func take() -> ServerAddress {
        defer { next = (next + 1) % addresses.count }
        return addresses[next % addresses.count]
    }

    /// Takes over what the cluster tells of its servers. Those that were given stay; those of which it does not tell any more go.
    ///
    /// Discovered servers have the credentials and the security of `current`, which told of them.
    mutating func discover(_ names: [String], from current: ServerAddress) {
        guard !names.isEmpty else { return }
        let upcoming = addresses[next % addresses.count]
        var discovered: [ServerAddress] = []
        var known = Set(given.map(\.name))
        // Of a list that only repeats servers not all is read either.
        for name in names.prefix(4 * Self.maximumDiscovered) where discovered.count < Self.maximumDiscovered {
            guard var address = try? ServerAddress(parsing: name), known.insert(address.name).inserted else { continue }
            (address.user, address.password, address.requiresTLS) = (current.user, current.password, current.requiresTLS)
            discovered.append(address)
        }
        addresses = given + discovered
        next = addresses.firstIndex { $0.isSame(as: upcoming) } ?? 0
    }
}
