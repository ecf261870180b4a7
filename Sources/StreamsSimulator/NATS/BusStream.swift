import Foundation

/// The configuration of a stream, as its creator states it.
///
/// Source: [NATS, streams](https://docs.nats.io/nats-concepts/jetstream/streams).
struct BusStreamConfiguration: Codable, Equatable {
    var name: String
    var subjects: [String]?
    var storage: String?
    var retention: String?
    var discard: String?
    var numReplicas: Int?
    var maxMsgs: Int?
    var maxMsgsPerSubject: Int?
    var maxBytes: Int?
    var maxMsgSize: Int?
    /// The age in nanoseconds.
    var maxAge: Int64?
    /// The window in nanoseconds.
    var duplicateWindow: Int64?
    var allowRollupHdrs: Bool?
    var allowDirect: Bool?
}

/// The error in the answer of a bus that refuses a request.
struct BusError: Error, Equatable {
    let status: Int
    let number: Int
    let reason: String

    static let noStream = BusError(status: 404, number: 10_059, reason: "stream not found")
    static let noConsumer = BusError(status: 404, number: 10_014, reason: "consumer not found")
    static let noMessage = BusError(status: 404, number: 10_037, reason: "no message found")
    static let malformed = BusError(status: 400, number: 10_025, reason: "invalid JSON")
}

/// The messages of a stream, and the ids that it remembers.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class BusStream: @unchecked Sendable {
    struct Entry {
        let sequence: Int
        let message: BusMessage
        /// The time in nanoseconds since 1970.
        let time: Int64
    }

    private(set) var configuration: BusStreamConfiguration
    /// The creation time in nanoseconds since 1970.
    let created: Int64
    private(set) var entries: [Entry] = []
    private(set) var lastSequence = 0
    private(set) var firstSequence = 0
    var consumers: [BusConsumer] = []
    private(set) var subjects: [BusSubject]
    /// The ids of messages, by which repeated messages are recognized.
    private var ids: [String: (sequence: Int, time: Int64)] = [:]
    private var lastID = ""

    init(_ configuration: BusStreamConfiguration, at time: Int64) {
        self.configuration = configuration
        created = time
        subjects = (configuration.subjects ?? [configuration.name]).map { BusSubject($0) }
    }

    var name: String { configuration.name }
    var bytes: Int { entries.reduce(0) { $0 + $1.message.size } }

    func update(_ configuration: BusStreamConfiguration) {
        self.configuration = configuration
        subjects = (configuration.subjects ?? [configuration.name]).map { BusSubject($0) }
        enforceLimits()
    }

    /// Stores a message. Returns its number, and whether it had been stored before.
    func store(_ message: BusMessage, at time: Int64) throws(BusError) -> (sequence: Int, isDuplicate: Bool) {
        expire(at: time)
        let id = message.header("Nats-Msg-Id")
        if let id, let known = ids[id] { return (known.sequence, true) }
        try check(message)
        lastSequence += 1
        if let id { ids[id] = (lastSequence, time) }
        lastID = id ?? ""
        var stored = message
        stored.reply = nil
        if configuration.retention != "interest" || !consumers.isEmpty {
            if entries.isEmpty { firstSequence = lastSequence }
            entries.append(Entry(sequence: lastSequence, message: stored, time: time))
        }
        roll(up: message)
        enforceLimits()
        return (lastSequence, false)
    }

    /// Source: [NATS, headers for publishing](https://docs.nats.io/nats-concepts/jetstream/headers).
    private func check(_ message: BusMessage) throws(BusError) {
        if let expected = message.header("Nats-Expected-Stream"), expected != name {
            throw BusError(status: 400, number: 10_060, reason: "expected stream does not match")
        }
        if let expected = message.header("Nats-Expected-Last-Msg-Id"), expected != lastID {
            throw BusError(status: 400, number: 10_070, reason: "wrong last msg ID: \(lastID)")
        }
        if let expected = message.header("Nats-Expected-Last-Sequence").flatMap({ Int($0) }), expected != lastSequence {
            throw BusError(status: 400, number: 10_071, reason: "wrong last sequence: \(lastSequence)")
        }
        if let expected = message.header("Nats-Expected-Last-Subject-Sequence").flatMap({ Int($0) }) {
            let last = entries.last { $0.message.subject == message.subject }?.sequence ?? 0
            guard expected == last else { throw BusError(status: 400, number: 10_071, reason: "wrong last sequence: \(last)") }
        }
        if message.header("Nats-Rollup") != nil, configuration.allowRollupHdrs != true {
            throw BusError(status: 500, number: 10_111, reason: "rollup not permitted")
        }
        if let limit = configuration.maxMsgSize, limit >= 0, message.size > limit {
            throw BusError(status: 400, number: 10_054, reason: "message size exceeds maximum allowed")
        }
        guard configuration.discard == "new" else { return }
        if let limit = configuration.maxMsgs, limit > 0, entries.count >= limit {
            throw BusError(status: 503, number: 10_077, reason: "maximum messages exceeded")
        }
        if let limit = configuration.maxBytes, limit > 0, bytes + message.size > limit {
            throw BusError(status: 503, number: 10_077, reason: "maximum bytes exceeded")
        }
    }

    private func roll(up message: BusMessage) {
        guard let scope = message.header("Nats-Rollup") else { return }
        remove { $0.sequence < lastSequence && (scope == "all" || $0.message.subject == message.subject) }
    }

    private func enforceLimits() {
        if let limit = configuration.maxMsgsPerSubject, limit > 0, let subject = entries.last?.message.subject {
            let same = entries.filter { $0.message.subject == subject }
            if same.count > limit { remove { $0.message.subject == subject && $0.sequence <= same[same.count - limit - 1].sequence } }
        }
        if let limit = configuration.maxMsgs, limit > 0, entries.count > limit {
            let first = entries[entries.count - limit].sequence
            remove { $0.sequence < first }
        }
        while let limit = configuration.maxBytes, limit > 0, bytes > limit, let oldest = entries.first?.sequence {
            remove { $0.sequence == oldest }
        }
    }

    /// Removes the messages that are too old.
    func expire(at time: Int64) {
        let window = configuration.duplicateWindow.flatMap { $0 > 0 ? $0 : nil } ?? 120_000_000_000
        ids = ids.filter { time - $0.value.time < window }
        guard let age = configuration.maxAge, age > 0, let oldest = entries.first, time - oldest.time >= age else { return }
        remove { time - $0.time >= age }
    }

    /// Removes messages and returns their number.
    @discardableResult
    func remove(where isRemoved: (Entry) -> Bool) -> Int {
        let count = entries.count
        entries.removeAll(where: isRemoved)
        guard entries.count < count else { return 0 }
        firstSequence = entries.first?.sequence ?? lastSequence + 1
        return count - entries.count
    }

    /// Removes a message that a consumer has finished, if nobody else needs it.
    func didFinish(_ sequence: Int) {
        switch configuration.retention {
        case "workqueue": break
        case "interest": guard consumers.allSatisfy({ $0.hasFinished(sequence) }) else { return }
        default: return
        }
        remove { $0.sequence == sequence }
    }
}

/// Look-ups.
extension BusStream {
    func entry(_ sequence: Int) -> Entry? {
        let index = index(from: sequence)
        return index < entries.count && entries[index].sequence == sequence ? entries[index] : nil
    }

    /// Returns the first message from a number on that matches.
    func first(from sequence: Int, _ filter: BusSubject?) -> Entry? {
        let rest = entries[index(from: sequence)...]
        guard let filter else { return rest.first }
        return rest.first { filter.matches(BusSubject($0.message.subject)) }
    }

    func count(from sequence: Int, _ filter: BusSubject?) -> Int {
        let rest = entries[index(from: sequence)...]
        guard let filter else { return rest.count }
        return rest.count { filter.matches(BusSubject($0.message.subject)) }
    }

    func last(_ filter: BusSubject?) -> Entry? {
        guard let filter else { return entries.last }
        return entries.last { filter.matches(BusSubject($0.message.subject)) }
    }

    /// Returns the numbers of the newest messages of each subject, in order.
    func lastOfEachSubject(_ filter: BusSubject?) -> [Int] {
        var last: [String: Int] = [:]
        for entry in entries where filter?.matches(BusSubject(entry.message.subject)) ?? true {
            last[entry.message.subject] = entry.sequence
        }
        return last.values.sorted()
    }

    /// Returns the position of the first message from a number on.
    private func index(from sequence: Int) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
