import Foundation

/// The streams of a bus, and the requests to them.
///
/// Source: [NATS, JetStream wire API](https://docs.nats.io/reference/reference-protocols/nats_api_reference).
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class BusStreams: @unchecked Sendable {
    private unowned let bus: Simulation.Bus
    private var streams: [BusStream] = []
    private var created = 0

    init(_ bus: Simulation.Bus) {
        self.bus = bus
    }

    /// Stops the server: contents that are only in memory are gone.
    func stop() {
        streams.removeAll { $0.configuration.storage == "memory" }
        for stream in streams {
            for consumer in stream.consumers { consumer.stop() }
            stream.consumers.removeAll { $0.configuration.durableName == nil }
        }
    }

    /// Releases objects that refer to one another.
    func release() {
        for stream in streams { stream.consumers = [] }
        streams = []
    }

    /// Handles a message; returns whether it was a request to this, or is stored.
    func receive(_ message: BusMessage) -> Bool {
        if message.subject.hasPrefix("$JS.API.") { return handle(message) }
        if message.subject.hasPrefix("$JS.ACK.") { return acknowledge(message) }
        let subject = BusSubject(message.subject)
        let matching = streams.filter { $0.subjects.contains { $0.matches(subject) } }
        for stream in matching { store(message, in: stream) }
        return !matching.isEmpty
    }

    func remove(_ consumer: BusConsumer, of stream: BusStream) {
        stream.consumers.removeAll { $0 === consumer }
        consumer.delete()
    }

    private func store(_ message: BusMessage, in stream: BusStream) {
        do throws(BusError) {
            let (sequence, isDuplicate) = try stream.store(message, at: bus.time)
            var answer: [String: Any] = ["stream": stream.name, "seq": sequence]
            if isDuplicate { answer["duplicate"] = true }
            reply(answer, to: message)
            if !isDuplicate { for consumer in stream.consumers { consumer.deliver() } }
        } catch {
            reply(["error": error.fields, "stream": stream.name, "seq": 0], to: message)
        }
    }

    private func acknowledge(_ message: BusMessage) -> Bool {
        let parts = message.subject.split(separator: ".").map(String.init)
        guard parts.count == 9, let sequence = Int(parts[5]), let stream = streams.first(where: { $0.name == parts[2] }),
            let consumer = stream.consumers.first(where: { $0.name == parts[3] })
        else { return false }
        consumer.receive(String(decoding: message.payload, as: UTF8.self), for: sequence)
        if let reply = message.reply { bus.deliver(BusMessage(subject: reply), to: reply) }
        return true
    }

    private func reply(_ answer: [String: Any], to message: BusMessage) {
        guard let subject = message.reply else { return }
        let payload = (try? JSONSerialization.data(withJSONObject: answer, options: .sortedKeys)) ?? Data()
        bus.deliver(BusMessage(subject: subject, payload: Array(payload)), to: subject)
    }
}

/// Requests.
extension BusStreams {
    /// Handles a request; returns whether anybody responds.
    private func handle(_ message: BusMessage) -> Bool {
        let parts = message.subject.split(separator: ".").dropFirst(2).map(String.init)
        if parts.count == 5, parts[0...2].elementsEqual(["CONSUMER", "MSG", "NEXT"]) {
            guard let consumer = try? consumer(parts[4], of: parts[3]).consumer else { return false }
            consumer.pull(message)
            return true
        }
        do throws(BusError) {
            guard let answer = try answer(parts, message.payload) else { return false }
            reply(answer, to: message)
        } catch { reply(["error": error.fields], to: message) }
        return true
    }

    /// Returns the answer to a request; `nil` if the request is unknown.
    private func answer(_ parts: [String], _ body: [UInt8]) throws(BusError) -> [String: Any]? {
        let name = parts.last ?? ""
        switch parts.dropLast().joined(separator: ".") {
        case "STREAM.CREATE": return try create(name, body)
        case "STREAM.UPDATE": return try update(name, body)
        case "STREAM.INFO": return try info(stream(name))
        case "STREAM.DELETE": return try delete(stream(name))
        case "STREAM.PURGE": return try purge(stream(name), body)
        case "STREAM.MSG.DELETE": return try deleteMessage(stream(name), body)
        case "STREAM.MSG.GET": return try message(stream(name), body)
        case "STREAM" where name == "LIST": return try list(body)
        case "CONSUMER.LIST": return try listConsumers(stream(name), body)
        case "CONSUMER.CREATE": return try createConsumer(nil, stream(name), body)
        default: break
        }
        guard parts.count > 2 else { return nil }
        let owner = parts[parts.count - 2]
        switch parts.dropLast(2).joined(separator: ".") {
        case "CONSUMER.DURABLE.CREATE": return try createConsumer(name, stream(owner), body)
        case "CONSUMER.INFO":
            let (stream, consumer) = try consumer(name, of: owner)
            return info(consumer, of: stream)
        case "CONSUMER.DELETE":
            let (stream, consumer) = try consumer(name, of: owner)
            remove(consumer, of: stream)
            return ["success": true]
        default: return nil
        }
    }

    private func stream(_ name: String) throws(BusError) -> BusStream {
        guard let stream = streams.first(where: { $0.name == name }) else { throw .noStream }
        stream.expire(at: bus.time)
        return stream
    }

    private func consumer(_ name: String, of owner: String) throws(BusError) -> (stream: BusStream, consumer: BusConsumer) {
        let stream = try stream(owner)
        guard let consumer = stream.consumers.first(where: { $0.name == name }) else { throw .noConsumer }
        return (stream, consumer)
    }

    private func create(_ name: String, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let configuration = try BusJSON.decode(BusStreamConfiguration.self, body)
        if let existing = streams.first(where: { $0.name == name }) {
            guard existing.configuration == configuration else {
                throw BusError(status: 400, number: 10_058, reason: "stream name already in use with a different configuration")
            }
            return info(existing)
        }
        let stream = BusStream(configuration, at: bus.time)
        try checkSubjects(of: stream)
        streams.append(stream)
        return info(stream)
    }

    private func update(_ name: String, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let stream = try stream(name)
        let configuration = try BusJSON.decode(BusStreamConfiguration.self, body)
        try checkSubjects(of: BusStream(configuration, at: bus.time))
        stream.update(configuration)
        return info(stream)
    }

    private func checkSubjects(of new: BusStream) throws(BusError) {
        let others = streams.filter { $0.name != new.name }.flatMap(\.subjects)
        let isFree = new.subjects.allSatisfy { subject in !others.contains { $0.overlaps(subject) } }
        guard isFree else { throw BusError(status: 400, number: 10_065, reason: "subjects overlap with an existing stream") }
    }

    private func info(_ stream: BusStream) -> [String: Any] {
        let state: [String: Any] = [
            "messages": stream.entries.count, "bytes": stream.bytes, "first_seq": stream.firstSequence,
            "last_seq": stream.lastSequence, "consumer_count": stream.consumers.count,
        ]
        return ["config": BusJSON.object(stream.configuration), "state": state, "created": BusTime.text(stream.created)]
    }

    private func delete(_ stream: BusStream) -> [String: Any] {
        streams.removeAll { $0 === stream }
        for consumer in stream.consumers { consumer.delete() }
        stream.consumers = []
        return ["success": true]
    }

    private struct MessageRequest: Decodable {
        var seq: Int?
        var lastBySubj: String?
        var filter: String?
        var keep: Int?
    }

    private struct ListRequest: Decodable {
        var offset: Int?
        var subject: String?
    }

    private func list(_ body: [UInt8]) throws(BusError) -> [String: Any] {
        let request = try BusJSON.decode(ListRequest.self, body)
        let subject = request.subject.map { BusSubject($0) }
        let matching = streams.filter { stream in subject.map { wanted in stream.subjects.contains { $0.overlaps(wanted) } } ?? true }
        return page("streams", of: matching.map(info), from: request.offset)
    }

    private func listConsumers(_ stream: BusStream, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let request = try BusJSON.decode(ListRequest.self, body)
        return page("consumers", of: stream.consumers.map { info($0, of: stream) }, from: request.offset)
    }

    private func page(_ name: String, of all: [[String: Any]], from offset: Int?) -> [String: Any] {
        [name: Array(all.dropFirst(offset ?? 0).prefix(256)), "total": all.count, "offset": offset ?? 0, "limit": 256]
    }

    private func purge(_ stream: BusStream, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let request = body.isEmpty ? MessageRequest() : try BusJSON.decode(MessageRequest.self, body)
        guard request.seq == nil || request.keep == nil else {
            throw BusError(status: 400, number: 10_003, reason: "sequence and keep can not both be set")
        }
        let filter = request.filter.map { BusSubject($0) }
        let matching = stream.entries.filter { filter?.matches(BusSubject($0.message.subject)) ?? true }
        let rest = request.keep.flatMap { $0 > 0 ? matching.suffix($0).first?.sequence : nil } ?? request.seq ?? .max
        let purged = Set(matching.map(\.sequence).filter { $0 < rest })
        let count = stream.remove { purged.contains($0.sequence) }
        return ["success": true, "purged": count]
    }

    private func deleteMessage(_ stream: BusStream, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let sequence = try BusJSON.decode(MessageRequest.self, body).seq ?? 0
        guard stream.remove(where: { $0.sequence == sequence }) > 0 else {
            throw BusError(status: 400, number: 10_043, reason: "sequence \(sequence) not found")
        }
        return ["success": true]
    }

    private func message(_ stream: BusStream, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let request = try BusJSON.decode(MessageRequest.self, body)
        let found = request.seq.map { stream.entry($0) } ?? stream.last(request.lastBySubj.map { BusSubject($0) })
        guard let found else { throw .noMessage }
        var fields: [String: Any] = ["subject": found.message.subject, "seq": found.sequence, "time": BusTime.text(found.time)]
        fields["data"] = Data(found.message.payload).base64EncodedString()
        if !found.message.headers.isEmpty { fields["hdrs"] = Data(found.message.headers).base64EncodedString() }
        return ["message": fields]
    }

    private struct ConsumerRequest: Decodable {
        var config: BusConsumerConfiguration
    }

    private func createConsumer(_ durable: String?, _ stream: BusStream, _ body: [UInt8]) throws(BusError) -> [String: Any] {
        let configuration = try BusJSON.decode(ConsumerRequest.self, body).config
        guard configuration.filterSubjects == nil, configuration.backoff == nil, configuration.headersOnly != true else {
            throw BusError(status: 400, number: 10_012, reason: "a simulated consumer has one filter, no backoff, and bodies")
        }
        if let durable, let existing = stream.consumers.first(where: { $0.name == durable }) {
            guard existing.configuration.deliverPolicy == configuration.deliverPolicy else {
                throw BusError(status: 500, number: 10_012, reason: "deliver policy can not be updated")
            }
            existing.configuration = configuration
            return info(existing, of: stream)
        }
        created += 1
        let consumer = BusConsumer(durable ?? "consumer\(created)", configuration, stream, bus)
        stream.consumers.append(consumer)
        return info(consumer, of: stream)
    }

    private func info(_ consumer: BusConsumer, of stream: BusStream) -> [String: Any] {
        [
            "name": consumer.name, "stream_name": stream.name, "config": BusJSON.object(consumer.configuration),
            "num_pending": consumer.undelivered, "num_ack_pending": consumer.unacknowledged,
            "delivered": ["consumer_seq": consumer.sequence, "stream_seq": consumer.lastSequence],
            "created": BusTime.text(consumer.created),
        ]
    }
}

extension BusError {
    fileprivate var fields: [String: Any] { ["code": status, "err_code": number, "description": reason] }
}
