import Foundation
package import Sockets
import Streams

/// The network of a simulation, as one of its processes uses it: the result of `SimulatedSystem.network`.
package protocol SocketNetwork: Sendable {
    /// Calls `action` as the process, even if that has ended, so that everything is released.
    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void)
    /// Connects to a server by its name, and calls `completion` as the process, unless that has ended.
    func connect(to host: String, _ completion: @escaping @Sendable (Result<any ByteSocket, SocketNetworkError>) -> Void)
}

/// The reason why a network does not connect.
package enum SocketNetworkError: Error {
    case unknownHost, refused
}

/// Connects one socket of a process of a simulation.
///
/// Sound: this is confined to the thread of the simulation, and all state to its messages.
final class SimulatedSocketEngine: SocketEngine, @unchecked Sendable {
    private static let pauseTime = Duration.microseconds(50)

    private let network: any SocketNetwork
    private var socket: (any ByteSocket)?
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: SocketLink.readSize, alignment: 16)

    private init(_ network: any SocketNetwork) {
        self.network = network
    }

    deinit { buffer.deallocate() }

    /// The engine for the process whose code is running, if this thread runs a simulation.
    static var current: SimulatedSocketEngine? {
        (SimulatedSystem.current?.network() as? any SocketNetwork).map { SimulatedSocketEngine($0) }
    }

    func start(with message: EngineMessage) { post(message) }
    func post(_ message: EngineMessage) { network.schedule(after: .zero, message.act) }
    func pause(_ action: @escaping @Sendable () -> Void) { network.schedule(after: Self.pauseTime, action) }
    func scheduleReading(_ link: SocketLink) { post(EngineMessage { link.engine.readOnce(link) }) }

    func connect(_ link: SocketLink) throws(TransportError) {
        network.connect(to: link.endpoint.host) { [self] result in
            guard case .connecting = link.phase else { return (try? result.get())?.close() ?? () }
            switch result {
            case .success(let socket): didConnect(link, socket)
            case .failure(.unknownHost):
                end(link, .error(TransportError.cannotFindHost(link.endpoint.host, url: link.endpoint.description)))
            case .failure(.refused):
                end(link, .error(TransportError.cannotConnect(url: link.endpoint.description, reason: "Connection refused")))
            }
        }
    }

    private func didConnect(_ link: SocketLink, _ socket: any ByteSocket) {
        (self.socket, link.channel) = (socket, socket)
        socket.startReading { [weak link] in
            guard let link else { return }
            link.engine.makeReadable(link)
        }
        didConnect(link)
    }

    /// Reports TLS at once: nothing is encrypted in a simulation.
    func beginTLS(_ link: SocketLink) throws(TransportError) {
        post(EngineMessage { link.engine.didConnect(link) })
    }

    func detach(_ link: SocketLink) {
        socket?.close()
        (socket, link.channel) = (nil, nil)
    }

    func watch(_ link: SocketLink, for interest: SocketSet.Interest) {
        if interest.contains(.read) { socket?.resumeReading() } else { socket?.pauseReading() }
        guard interest.contains(.write) else { return socket?.stopWriting() ?? () }
        socket?.startWriting { [weak link] in
            guard let link else { return }
            link.isWaitingToWrite = false
            link.engine.writeOutput(link)
            link.engine.updateInterest(of: link)
        }
    }

    func error(_ code: Int32, of link: SocketLink) -> TransportError {
        .connectionLost(url: link.endpoint.description, reason: "it was reset")
    }
}
