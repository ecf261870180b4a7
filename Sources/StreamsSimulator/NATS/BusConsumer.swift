import Foundation
import Streams

/// The configuration of a consumer, as its creator states it.
///
/// Source: [NATS, consumers](https://docs.nats.io/nats-concepts/jetstream/consumers).
struct BusConsumerConfiguration: Codable, Equatable {
    var durableName: String?
    var deliverPolicy: String?
    var optStartSeq: Int?
    var optStartTime: String?
    var ackPolicy: String?
    /// The wait in nanoseconds.
    var ackWait: Int64?
    var maxDeliver: Int?
    var maxAckPending: Int?
    var filterSubject: String?
    var filterSubjects: [String]?
    var backoff: [Int64]?
    var headersOnly: Bool?
    var description: String?
    var metadata: [String: String]?
    var replayPolicy: String?
    /// The threshold in nanoseconds.
    var inactiveThreshold: Int64?
    var numReplicas: Int?
    var memStorage: Bool?
}

/// The position of one consumer in a stream, and the clients that wait for its messages.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class BusConsumer: @unchecked Sendable {
    /// A request for messages that has not ended.
    private struct Pull {
        let reply: String
        var remaining: Int
        let expiry: Duration?
        let heartbeat: Duration?
        var nextBeat: Duration?
    }

    private struct Pending {
        /// The time at which it is delivered again; `nil` if that is due already.
        var deadline: Duration?
    }

    let name: String
    var configuration: BusConsumerConfiguration
    private unowned let stream: BusStream
    private let bus: Simulation.Bus
    private let filter: BusSubject?
    /// The number of the first message that has not been delivered.
    private var cursor: Int
    /// Messages before `cursor` that are delivered first.
    private var initial: [Int] = []
    private var delivered = 0
    private var pending: [Int: Pending] = [:]
    private var due: [Int] = []
    /// The number of deliveries of each unfinished message.
    private var deliveries: [Int: Int] = [:]
    private var pulls: [Pull] = []
    private var lastUse: Duration
    /// The creation time in nanoseconds since 1970.
    let created: Int64
    /// The time at which it next looks for expired entries.
    private var wakesAt: Duration?
    private var isDeleted = false

    init(_ name: String, _ configuration: BusConsumerConfiguration, _ stream: BusStream, _ bus: Simulation.Bus) {
        (self.name, self.configuration, self.stream, self.bus) = (name, configuration, stream, bus)
        filter = configuration.filterSubject.map { BusSubject($0) }
        lastUse = bus.network.now
        created = bus.time
        cursor = stream.lastSequence + 1
        switch configuration.deliverPolicy {
        case "new": break
        case "last": cursor = stream.last(filter)?.sequence ?? cursor
        case "last_per_subject": initial = stream.lastOfEachSubject(filter)
        case "by_start_sequence": cursor = configuration.optStartSeq ?? 1
        case "by_start_time":
            let start = configuration.optStartTime.flatMap { BusTime.nanoseconds($0) } ?? 0
            cursor = stream.entries.first { $0.time >= start }?.sequence ?? cursor
        default: cursor = 1
        }
        schedule()
    }

    private var acknowledges: Bool { configuration.ackPolicy != "none" }
    /// The number of messages that it has not delivered.
    var undelivered: Int { initial.count + stream.count(from: cursor, filter) }
    var unacknowledged: Int { pending.count }
    var sequence: Int { delivered }
    var lastSequence: Int { cursor - 1 }

    /// Whether this consumer no longer needs a message.
    func hasFinished(_ sequence: Int) -> Bool {
        guard let entry = stream.entry(sequence), filter?.matches(BusSubject(entry.message.subject)) ?? true else { return true }
        return sequence < cursor && pending[sequence] == nil
    }

    /// Stops the consumer with its server: nobody waits any more.
    func stop() { pulls = [] }

    func delete() {
        isDeleted = true
        for pull in pulls { bus.deliver(.status("409 Consumer Deleted", to: pull.reply), to: pull.reply) }
        pulls = []
    }
}

/// Delivery.
extension BusConsumer {
    private struct PullRequest: Decodable {
        var batch: Int?
        var expires: Int64?
        var idleHeartbeat: Int64?
    }

    func pull(_ request: BusMessage) {
        guard let reply = request.reply else { return }
        let body = (try? BusJSON.decode(PullRequest.self, request.payload)) ?? PullRequest()
        let heartbeat = body.idleHeartbeat.flatMap { $0 > 0 ? Duration.nanoseconds($0) : nil }
        pulls.append(
            Pull(
                reply: reply, remaining: max(body.batch ?? 1, 1),
                expiry: body.expires.flatMap { $0 > 0 ? bus.network.now + .nanoseconds($0) : nil }, heartbeat: heartbeat,
                nextBeat: heartbeat.map { bus.network.now + $0 }))
        lastUse = bus.network.now
        deliver()
    }

    /// Delivers as many messages as it can.
    func deliver() {
        stream.expire(at: bus.time)
        while dropDeadPulls(), let entry = next() { send(entry) }
        schedule()
    }

    /// Drops requests whose clients are gone. Returns whether others remain.
    private func dropDeadPulls() -> Bool {
        while let pull = pulls.first, !bus.hasSubscriber(pull.reply) { pulls.removeFirst() }
        return !pulls.isEmpty
    }

    /// Returns the next message, which counts as delivered.
    private func next() -> BusStream.Entry? {
        while let sequence = due.first {
            due.removeFirst()
            guard pending[sequence] != nil else { continue }
            let limit = configuration.maxDeliver ?? -1
            if let entry = stream.entry(sequence), limit <= 0 || deliveries[sequence] ?? 0 < limit { return entry }
            pending[sequence] = nil
        }
        guard !acknowledges || pending.count < configuration.maxAckPending.flatMap({ $0 > 0 ? $0 : nil }) ?? .max else { return nil }
        while !initial.isEmpty {
            if let entry = stream.entry(initial.removeFirst()) { return entry }
        }
        guard let entry = stream.first(from: cursor, filter) else { return nil }
        cursor = entry.sequence + 1
        return entry
    }

    private func send(_ entry: BusStream.Entry) {
        delivered += 1
        let count = (deliveries[entry.sequence] ?? 0) + 1
        if acknowledges {
            deliveries[entry.sequence] = count
            pending[entry.sequence] = Pending(deadline: bus.network.now + acknowledgementWait)
        }
        var message = entry.message
        message.reply = "$JS.ACK.\(stream.name).\(name).\(count).\(entry.sequence).\(delivered).\(entry.time).\(undelivered)"
        let reply = pulls[0].reply
        pulls[0].remaining -= 1
        pulls[0].nextBeat = pulls[0].heartbeat.map { bus.network.now + $0 }
        if pulls[0].remaining == 0 { pulls.removeFirst() }
        bus.deliver(message, to: reply)
    }

    private var acknowledgementWait: Duration { .nanoseconds(configuration.ackWait.flatMap { $0 > 0 ? $0 : nil } ?? 30_000_000_000) }
}

/// Acknowledgements.
extension BusConsumer {
    /// Handles an acknowledgement.
    /// Source: [NATS, acknowledgements](https://docs.nats.io/using-nats/developer/develop_jetstream/consumers#delivery-reliability).
    func receive(_ word: String, for sequence: Int) {
        lastUse = bus.network.now
        guard pending[sequence] != nil else { return }
        if word.hasPrefix("-NAK") {
            refuse(sequence, word.dropFirst(4))
        } else if word == "+WPI" {
            pending[sequence] = Pending(deadline: bus.network.now + acknowledgementWait)
        } else {
            (pending[sequence], deliveries[sequence]) = (nil, nil)
            stream.didFinish(sequence)
        }
        deliver()
    }

    private struct Refusal: Decodable {
        var delay: Int64?
    }

    private func refuse(_ sequence: Int, _ options: Substring) {
        let delay = (try? BusJSON.decode(Refusal.self, Array(options.utf8)))?.delay ?? 0
        pending[sequence] = Pending(deadline: delay > 0 ? bus.network.now + .nanoseconds(delay) : nil)
        if delay <= 0 { due.append(sequence) }
    }
}

/// The expiry of messages and requests.
extension BusConsumer {
    private var inactivityLimit: Duration? {
        if let limit = configuration.inactiveThreshold, limit > 0 { return .nanoseconds(limit) }
        return configuration.durableName == nil ? .seconds(5) : nil
    }

    private func schedule() {
        var times = pulls.flatMap { [$0.expiry, $0.nextBeat].compactMap { $0 } }
        times += pending.values.compactMap(\.deadline)
        if pulls.isEmpty, let limit = inactivityLimit { times.append(lastUse + limit) }
        guard !isDeleted, let next = times.min(), next < wakesAt ?? .seconds(Int64.max / 1_000_000_000) else { return }
        wakesAt = next
        bus.network.schedule(after: max(next - bus.network.now, .zero)) { [weak self] in
            guard let self, wakesAt == next, !isDeleted else { return }
            wakesAt = nil
            wake()
        }
    }

    private func wake() {
        let now = bus.network.now
        for sequence in pending.keys.sorted() {
            guard let deadline = pending[sequence]?.deadline, deadline <= now else { continue }
            pending[sequence]?.deadline = nil
            due.append(sequence)
        }
        endPulls(now)
        if dropDeadPulls() { lastUse = now }
        if pulls.isEmpty, let limit = inactivityLimit, now - lastUse >= limit { return bus.streams.remove(self, of: stream) }
        deliver()
    }

    private func endPulls(_ now: Duration) {
        for pull in pulls where pull.expiry.map({ $0 <= now }) ?? false {
            let rest = [("Nats-Pending-Messages", "\(pull.remaining)"), ("Nats-Pending-Bytes", "0")]
            bus.deliver(.status("408 Request Timeout", to: pull.reply, rest), to: pull.reply)
            lastUse = now
        }
        pulls.removeAll { $0.expiry.map { $0 <= now } ?? false }
        for index in pulls.indices where pulls[index].nextBeat.map({ $0 <= now }) ?? false {
            pulls[index].nextBeat = pulls[index].heartbeat.map { now + $0 }
            let last = [("Nats-Last-Consumer", "\(delivered)"), ("Nats-Last-Stream", "\(cursor - 1)")]
            bus.deliver(.status("100 Idle Heartbeat", to: pulls[index].reply, last), to: pulls[index].reply)
        }
    }
}
