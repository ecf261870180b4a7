import NetNodes
import Sockets
import Streams

/// The network as the sockets of one process use it, or those of no process.
struct ProcessNetwork: SocketNetwork {
    /// The host of code that belongs to no process.
    static let outside = "world"
    /// How long nobody knows a name.
    private static let lookupTime = Duration.milliseconds(20)

    let network: Network
    let owner: Incarnation?

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        if network.loop.escape(to: "a socket of the simulation") { return }
        _ = network.loop.time.schedule(after: delay) { [self] in network.loop.run(as: owner, action) }
    }

    func connect(to host: String, _ completion: @escaping @Sendable (Result<any ByteSocket, SocketNetworkError>) -> Void) {
        guard owner?.isAlive ?? true else { return }
        guard let server = network.server(host) else { return schedule(after: Self.lookupTime) { completion(.failure(.unknownHost)) } }
        let path = NetworkPath(from: owner?.process ?? Self.outside, to: host)
        network.connect(owner, path, to: server) { socket in
            guard let socket else { return completion(.failure(.refused)) }
            completion(.success(socket))
        }
    }
}
