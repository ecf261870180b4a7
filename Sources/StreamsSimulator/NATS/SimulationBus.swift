import Foundation
import Streams

extension Simulation {
    /// A NATS server of a simulation, for `NATSConnection`: subjects, queue groups, requests and streams, on the protocol of the real
    /// server.
    ///
    /// The processes of the same world reach it by its name. You can kill it and start it again; streams on disk keep their contents.
    ///
    /// `@unchecked Sendable`: confined to the thread of the simulation.
    public final class Bus: SimulatedHost, Killable, @unchecked Sendable {
        static let maximumPayload = 1 << 20

        /// The host in its URL.
        public let name: String
        let network: SimulatedNetwork
        /// Whether the server accepts connections.
        public private(set) var isRunning = true
        private(set) lazy var streams = BusStreams(self)
        private var clients: [BusClient] = []
        private var refusing = CurrentFaults()
        /// The faults that lose the next answers, together with their connections.
        private var lostResponses = SingleFaults()

        init(_ name: String, _ network: SimulatedNetwork) {
            (self.name, self.network) = (name, network)
        }

        /// The URL for a `NATSConnection`.
        public var url: String { "nats://\(name):4222" }

        /// The number of open connections.
        public var connections: Int { clients.count }

        /// Kills the server: its connections are reset, and contents that are only in memory are gone.
        ///
        /// - Parameter restartAfter: the time after which it is started again; `nil` means never.
        public func kill(restartAfter: Duration?) {
            guard isRunning else { return }
            network.trace.note(network.now, .killed, name, "")
            stop()
            guard let restartAfter else { return }
            network.schedule(after: restartAfter) { [self] in
                isRunning = true
                network.trace.note(network.now, .started, name, "")
            }
        }

        /// Accepts no connections for a while.
        public func refuse(for duration: Duration) { refuse(for: duration, by: nil) }

        func refuse(for duration: Duration, by fault: FaultOccurrence?) { refusing.add(fault, until: network.now + duration) }

        /// Handles the next message that asks for an answer, but loses the answer together with the connection.
        func loseResponse(by fault: FaultOccurrence) { lostResponses.add(fault) }

        func acceptsConnection() -> Bool { isRunning && !refusing.hinder(at: network.now) }

        func open(_ socket: SimulatedSocket) {
            let client = BusClient(self, socket)
            clients.append(client)
            client.start()
        }

        func remove(_ client: BusClient) { clients.removeAll { $0 === client } }

        func stop() {
            isRunning = false
            for client in clients { client.reset() }
            clients = []
            streams.stop()
        }

        /// Releases objects that refer to one another.
        func release() { streams.release() }

        /// The date, in nanoseconds since 1970.
        var time: Int64 { Int64(SimulatedWallClock.start) * 1_000_000_000 + network.now.nanoseconds }

        /// The information that the server gives a client about itself.
        var information: String {
            """
            {"server_id":"\(name)","server_name":"\(name)","version":"2.10.0","proto":1,"headers":true,\
            "max_payload":\(Self.maximumPayload),"jetstream":true}
            """
        }
    }
}

/// Messages.
extension Simulation.Bus {
    func receive(_ message: BusMessage, from client: BusClient) {
        network.trace.note(network.now, .request, name, "PUB \(message.subject) \(message.size)")
        if message.reply != nil, lostResponses.spoil() { client.loseOutput() }
        let isDelivered = deliver(message, to: message.subject, from: client)
        let isStored = streams.receive(message)
        guard !isDelivered, !isStored, client.wantsNoResponders, let reply = message.reply else { return }
        deliver(.status("503", to: reply), to: reply)
    }

    /// Delivers a message to the subscribers of a subject, and of each queue group to one of them. Returns whether there are any.
    @discardableResult
    func deliver(_ message: BusMessage, to subject: String, from sender: BusClient? = nil) -> Bool {
        let target = BusSubject(subject)
        var receivers: [(client: BusClient, id: Int)] = []
        var groups: [(name: String, members: [(client: BusClient, id: Int)])] = []
        for client in clients where client !== sender || client.hasEcho {
            for subscription in client.subscriptions where subscription.subject.matches(target) {
                guard let queue = subscription.queue else {
                    receivers.append((client, subscription.id))
                    continue
                }
                let index = groups.firstIndex { $0.name == queue } ?? groups.count
                if index == groups.count { groups.append((queue, [])) }
                groups[index].members.append((client, subscription.id))
            }
        }
        for group in groups { receivers.append(group.members[Int.random(in: group.members.indices, using: &network.loop.random)]) }
        for receiver in receivers { receiver.client.deliver(message, subject: message.subject, to: receiver.id) }
        return !receivers.isEmpty
    }

    /// Whether anybody is subscribed to a subject.
    func hasSubscriber(_ subject: String) -> Bool {
        let target = BusSubject(subject)
        return clients.contains { client in client.subscriptions.contains { $0.subject.matches(target) } }
    }
}

extension Simulation.World {
    /// Adds a NATS server, which the processes reach as `nats://name:4222`.
    public func bus(_ name: String) -> Simulation.Bus {
        let bus = Simulation.Bus(name, network)
        add(bus)
        return bus
    }
}
