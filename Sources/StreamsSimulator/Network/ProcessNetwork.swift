import NetNodes
import Sockets
import Streams

/// The network, as the sockets of one process, or those of no process, use it.
struct ProcessNetwork: SocketNetwork {
    let network: Network
    let owner: Incarnation?

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        if network.loop.escape(to: "a socket of the simulation") { return }
        let wakeup = owner?.expectWakeup()
        _ = network.loop.time.schedule(after: delay) { [self] in
            wakeup?.end()
            network.loop.run(as: owner, action)
        }
    }

    func connect(to host: String, _ completion: @escaping @Sendable (Result<any ByteSocket, SocketNetworkError>) -> Void) {
        network.connect(owner, to: host) { result in completion(result.map { $0 }) }
    }
}
