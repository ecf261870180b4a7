import Foundation
import LoopbackServer
import Sockets
import Streams

/// The connection of one client to a bus.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class BusClient: @unchecked Sendable {
    struct Subscription {
        let id: Int
        let subject: BusSubject
        let queue: String?
        /// The number of messages that it still receives; `nil` means all.
        var remaining: Int?
        var delivered = 0
    }

    /// The information that a client gives about itself.
    private struct Request: Decodable {
        var verbose: Bool?
        var echo: Bool?
        var headers: Bool?
        var noResponders: Bool?
    }

    private static let pingInterval = Duration.seconds(120)
    private static let maximumOutstandingPings = 2
    /// The number of bytes that may wait for a slow client before it is disconnected.
    private static let maximumPending = 64 << 20

    private let bus: Simulation.Bus
    private let socket: SimulatedSocket
    private var parser: BusCommandParser
    private var output = OutputBuffer()
    private var request = Request()
    private var outstandingPings = 0
    private(set) var isClosed = false
    private(set) var subscriptions: [Subscription] = []

    init(_ bus: Simulation.Bus, _ socket: SimulatedSocket) {
        (self.bus, self.socket) = (bus, socket)
        parser = BusCommandParser(maximumPayload: Simulation.Bus.maximumPayload)
    }

    /// Whether the client receives its own messages.
    var hasEcho: Bool { request.echo ?? true }
    /// Whether the client is told that nobody responds.
    var wantsNoResponders: Bool { request.noResponders ?? false && request.headers ?? false }

    func start() {
        write(Array("INFO \(bus.information)\r\n".utf8))
        socket.startReading { [weak self] in self?.read() }
        schedulePing()
    }

    /// Resets the connection, like a server that is killed.
    func reset() {
        isClosed = true
        subscriptions = []
        socket.reset()
    }

    /// Resets the connection with the next byte that the client receives.
    func loseOutput() { socket.output.resetsWithNextByte() }

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        subscriptions = []
        socket.close()
        bus.remove(self)
    }

    private func schedulePing() {
        bus.network.schedule(after: Self.pingInterval) { [weak self] in
            guard let self, !isClosed else { return }
            outstandingPings += 1
            guard outstandingPings <= Self.maximumOutstandingPings else { return refuse("Stale Connection") }
            write(Array("PING\r\n".utf8))
            schedulePing()
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
        case .count(0), .failed: close()
        case .wouldBlock: break
        case .count(let count):
            buffer.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            handle()
        }
    }

    private func handle() {
        do throws(BusRefusal) {
            while !isClosed, let command = try parser.next() { handle(command) }
        } catch { refuse(error.text) }
    }

    private func handle(_ command: BusCommand) {
        switch command {
        case .connect(let bytes): request = (try? BusJSON.decode(Request.self, bytes)) ?? Request()
        case .ping: return write(Array("PONG\r\n".utf8))
        case .pong: return outstandingPings = 0
        case .publish(let message): bus.receive(message, from: self)
        case .subscribe(let subject, let queue, let id):
            subscriptions.append(Subscription(id: id, subject: BusSubject(subject), queue: queue))
        case .unsubscribe(let id, let count): unsubscribe(id, after: count)
        }
        if request.verbose ?? false { write(Array("+OK\r\n".utf8)) }
    }

    private func unsubscribe(_ id: Int, after count: Int?) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return }
        guard let count, count > subscriptions[index].delivered else {
            subscriptions.remove(at: index)
            return
        }
        subscriptions[index].remaining = count - subscriptions[index].delivered
    }

    private func refuse(_ text: String) {
        write(Array("-ERR '\(text)'\r\n".utf8))
        close()
    }

    /// Sends a message to the subscription with this number.
    ///
    /// - Parameter subject: the subject that the client sees; for messages that a stream delivers, it may differ from that of the
    ///   subscription.
    func deliver(_ message: BusMessage, subject: String, to id: Int) {
        guard let index = subscriptions.firstIndex(where: { $0.id == id }) else { return }
        subscriptions[index].delivered += 1
        if let remaining = subscriptions[index].remaining {
            subscriptions[index].remaining = remaining - 1
            if remaining <= 1 { subscriptions.remove(at: index) }
        }
        write(message.encoded(for: id, subject: subject))
    }

    private func write(_ bytes: [UInt8]) {
        guard !isClosed else { return }
        output.append(Data(bytes))
        guard output.count <= Self.maximumPending else { return close() }
        flush()
    }

    private func flush() {
        while !isClosed, !output.isEmpty {
            switch output.withBytes({ socket.write($0) }) {
            case .count(let count): output.drop(count)
            case .wouldBlock: return socket.startWriting { [weak self] in self?.flush() }
            case .failed: return close()
            }
        }
        socket.stopWriting()
    }
}
