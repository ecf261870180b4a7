import Foundation
public import NetNodes
public import Streams

/// The transport of one process: HTTP/1.1 on the connections of a simulation.
///
/// Servers are found by their names, for `http` and `https`. Connections are kept and used again, as with libcurl. If such a connection
/// turns out to be closed, idempotent requests are sent again.
public struct SimulatedTransport: Transport {
    let pool: ConnectionPool

    public func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        Observable { [pool] downstream, lifetime in
            let outlet = TransferOutlet(downstream, lifetime, isStreamed: true)
            let transfer = SimulatedTransfer(request, pool, outlet)
            lifetime.add { transfer.cancel() }
            transfer.start()
        }
    }
}

/// The connections of one process that currently serve no request.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class ConnectionPool: @unchecked Sendable {
    let network: SimulatedNetwork
    let owner: Incarnation
    private var idle: [String: [SimulatedSocket]] = [:]

    init(_ network: SimulatedNetwork, _ owner: Incarnation) {
        (self.network, self.owner) = (network, owner)
    }

    var scheduler: LoopScheduler { LoopScheduler(loop: network.loop, owner: .process(owner)) }

    func take(to host: String) -> SimulatedSocket? {
        while let socket = idle[host]?.popLast() {
            if !socket.isClosed, !socket.input.isReadable { return socket }
            socket.close()
        }
        return nil
    }

    func put(_ socket: SimulatedSocket, to host: String) {
        socket.pauseReading()
        socket.stopWriting()
        idle[host, default: []].append(socket)
    }
}
