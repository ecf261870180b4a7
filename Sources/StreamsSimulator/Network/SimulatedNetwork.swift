import LoopbackServer
import NetNodes
import Sockets
import Streams

/// A path from one host to another; a process has the host of its name.
struct NetworkPath: Hashable, CustomStringConvertible {
    let from: String
    let to: String

    var reversed: NetworkPath { NetworkPath(from: to, to: from) }
    var description: String { "\(from) -> \(to)" }
}

/// A host that accepts connections under its name.
protocol SimulatedHost: AnyObject, Sendable {
    var name: String { get }
    /// Whether the host accepts the connection that arrives now.
    func acceptsConnection() -> Bool
    func open(_ socket: SimulatedSocket)
    /// Accepts no connections for a while.
    func refuse(for duration: Duration, by fault: FaultOccurrence?)
    /// Handles the next request, but loses the response with its connection.
    func loseResponse(by fault: FaultOccurrence)
}

/// The connections between the processes and the servers of a world, and the faults that hinder them.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class SimulatedNetwork: @unchecked Sendable {
    /// The bandwidth in bytes a second, unless a fault lowers it.
    private static let bandwidth = 100_000_000.0
    /// The bandwidth in bytes a second, if a fault lowers it.
    private static let lowBandwidth = 200.0
    /// The host of code that belongs to no process.
    private static let outside = "world"
    /// The time after which the look-up of an unknown name fails.
    private static let lookupTime = Duration.milliseconds(20)

    private struct Condition {
        var partitions = CurrentFaults()
        var slow = CurrentFaults()
        var latency: Duration?
        /// The arrivals that wait for the end of the partitions.
        var waiting: [@Sendable () -> Void] = []
    }

    let loop: EventLoop
    let trace: Trace
    private var conditions: [NetworkPath: Condition] = [:]
    private var servers: [String: any SimulatedHost] = [:]
    /// The open sockets, oldest first.
    private var sockets: [SimulatedSocket] = []

    init(_ loop: EventLoop, _ trace: Trace) {
        (self.loop, self.trace) = (loop, trace)
    }

    /// Releases the objects that refer to this network.
    func release() { (conditions, servers, sockets) = ([:], [:], []) }

    var now: Duration { loop.time.now }

    func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        _ = loop.time.schedule(after: delay) { [loop] in loop.run(as: nil, action) }
    }

    func add(_ server: any SimulatedHost) { servers[server.name] = server }

    func server(_ name: String) -> (any SimulatedHost)? { servers[name] }

    /// Receives the result of an attempt to connect.
    typealias Connected = @Sendable (Result<SimulatedSocket, SocketNetworkError>) -> Void

    /// Connects a process, or code of no process, to a host: after a round trip, and after the partitions. For a process that has ended, an
    /// attempt has no result.
    func connect(_ client: Incarnation?, to host: String, _ completion: @escaping Connected) {
        guard client?.isAlive ?? true else { return }
        let wakeup = client?.expectWakeup()
        let finish: Connected = { result in
            wakeup?.end()
            completion(result)
        }
        guard let server = servers[host] else {
            return schedule(after: Self.lookupTime) { [loop] in loop.run(as: client) { finish(.failure(.unknownHost)) } }
        }
        let path = NetworkPath(from: client?.process ?? Self.outside, to: host)
        schedule(after: latency(path)) { [self] in arrive(client, path, at: server, finish) }
    }

    private func arrive(_ client: Incarnation?, _ path: NetworkPath, at server: any SimulatedHost, _ completion: @escaping Connected) {
        if wait(on: path, { [self] in arrive(client, path, at: server, completion) }) { return }
        guard server.acceptsConnection() else {
            trace.note(now, .refused, path.from, path.to)
            return answer(path, client) { completion(.failure(.refused)) }
        }
        let (request, response) = (BytePipe(path, self), BytePipe(path.reversed, self))
        let accepted = SimulatedSocket(self, owner: nil, input: request, output: response)
        sockets.append(accepted)
        server.open(accepted)
        answer(path, client) { [self] in
            let socket = SimulatedSocket(self, owner: client, input: response, output: request)
            sockets.append(socket)
            trace.note(now, .connected, path.from, path.to)
            completion(.success(socket))
        }
    }

    /// Runs an action after the way back.
    private func answer(_ path: NetworkPath, _ client: Incarnation?, _ action: @escaping @Sendable () -> Void) {
        schedule(after: latency(path.reversed)) { [self] in
            if wait(on: path.reversed, { [self] in loop.run(as: client, action) }) { return }
            loop.run(as: client, action)
        }
    }

    func remove(_ socket: SimulatedSocket) { sockets.removeAll { $0 === socket } }

    /// Returns the sockets of this host, oldest first.
    func sockets(from host: String) -> [SimulatedSocket] { sockets.filter { $0.output.path.from == host } }

    /// Resets the connection to which a pipe belongs.
    func reset(_ pipe: BytePipe) {
        for socket in sockets where socket.input === pipe || socket.output === pipe {
            trace.note(now, .reset, socket.output.path.from, socket.output.path.to)
            socket.input.markReset()
            socket.output.markReset()
            socket.input.onReadable?()
        }
    }
}

/// Conditions of paths.
extension SimulatedNetwork {
    /// Returns the time from one end to the other: the latency of the path, and a random part.
    func latency(_ path: NetworkPath) -> Duration {
        let base = conditions[path]?.latency ?? drawLatency(path)
        return base + .microseconds(Int64.random(in: 0...Int64(base / .microseconds(4)), using: &loop.random))
    }

    private func drawLatency(_ path: NetworkPath) -> Duration {
        let latency = Duration.microseconds(Int64.random(in: 100...5_000, using: &loop.random))
        conditions[path, default: Condition()].latency = latency
        return latency
    }

    func transmissionTime(_ size: Int, _ path: NetworkPath) -> Duration {
        let isSlow = size > 0 && conditions[path]?.slow.hinder(at: now) ?? false
        return .nanoseconds(Int64(Double(size) / (isSlow ? Self.lowBandwidth : Self.bandwidth) * 1e9))
    }

    /// Makes `action` wait for the end of a partition; returns whether there is one.
    func wait(on path: NetworkPath, _ action: @escaping @Sendable () -> Void) -> Bool {
        let isCut = conditions[path]?.partitions.hinder(at: now) ?? false
        // Nothing that arrives at the end of a partition overtakes arrivals that waited for it.
        guard isCut || conditions[path]?.waiting.isEmpty == false else { return false }
        conditions[path]?.waiting.append(action)
        return true
    }

    func cut(_ path: NetworkPath, for duration: Duration, by fault: FaultOccurrence?) {
        conditions[path, default: Condition()].partitions.add(fault, until: now + duration)
        schedule(after: duration) { [self] in heal(path) }
    }

    private func heal(_ path: NetworkPath) {
        guard let waiting = conditions[path]?.waiting, !waiting.isEmpty else { return }
        guard conditions[path]?.partitions.hinder(at: now) == false else { return }
        conditions[path]?.waiting = []
        // At once, and in order: later data on a connection must not overtake arrivals that waited.
        for action in waiting { action() }
    }

    func slow(_ path: NetworkPath, for duration: Duration, by fault: FaultOccurrence) {
        conditions[path, default: Condition()].slow.add(fault, until: now + duration)
    }
}

/// The network, as the sockets of one process, or those of no process, use it.
struct ProcessNetwork: SocketNetwork {
    let network: SimulatedNetwork
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
