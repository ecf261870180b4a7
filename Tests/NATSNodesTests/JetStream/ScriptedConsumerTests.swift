import Foundation
import NATSServers
import StreamsTesting
import Testing

@testable import NATSNodes

/// What a consumer of a scripted server delivers: for what a real one does only at times.
@Suite("Reading from a scripted server")
struct ScriptedConsumerTests {
    /// A message of a stream, as a consumer delivers it.
    private struct Stored {
        let sequence: Int
        let consumerSequence: Int
        let pending: Int
    }

    /// What a client has sent.
    private final class Commands {
        private let connection: LoopbackConnection
        private(set) var text = ""

        init(_ connection: LoopbackConnection) {
            self.connection = connection
        }

        /// Reads on until there is a publication to a subject that contains `part`, and returns its reply subject; `nil` at the end.
        func reply(ofPublicationTo part: String, behind end: String) -> String? {
            guard let read = connection.read(until: end) else { return nil }
            text += read
            let line = text.components(separatedBy: "\r\n").last { $0.hasPrefix("PUB ") && $0.contains(part) }
            return line.map { String($0.split(separator: " ")[2]) }
        }

        /// The number of the subscription that a reply is for.
        func subscription(for reply: String) -> Substring? {
            let inbox = reply.split(separator: ".").prefix(2).joined(separator: ".")
            return text.components(separatedBy: "\r\n").last { $0.hasPrefix("SUB \(inbox).") }?.split(separator: " ").last
        }
    }

    /// Accepts the connection, creates the consumer that it asks for, and delivers messages to its first request.
    ///
    /// - Returns: whether the client has asked another consumer before.
    @discardableResult
    private static func serve(_ messages: [Stored], on connection: LoopbackConnection) -> Bool {
        connection.write(#"INFO {"server_id":"x","max_payload":1000,"headers":true,"jetstream":true}"# + "\r\n")
        _ = connection.read(until: "PING\r\n")
        connection.write("PONG\r\n")
        let commands = Commands(connection)
        let consumer = #"{"name":"c","num_pending":5}"#
        guard let creation = commands.reply(ofPublicationTo: "CONSUMER.CREATE.S", behind: "\"stream_name\""),
            let creating = commands.subscription(for: creation)
        else { return false }
        let asksAnother = commands.text.contains("CONSUMER.MSG.NEXT")
        connection.write("MSG \(creation) \(creating) \(consumer.utf8.count)\r\n\(consumer)\r\n")
        guard let pull = commands.reply(ofPublicationTo: "CONSUMER.MSG.NEXT.S", behind: "idle_heartbeat"),
            let pulling = commands.subscription(for: pull)
        else { return asksAnother }
        for message in messages {
            let position = "\(message.sequence).\(message.consumerSequence).1700000000000000000.\(message.pending)"
            connection.write("MSG S \(pulling) $JS.ACK.S.c.1.\(position) 1\r\nx\r\n")
        }
        return asksAnother
    }

    @Test("A replay emits nothing before its position, wherever the consumer of a replica that is behind begins")
    func positions() throws {
        let messages = (1...5).map { Stored(sequence: 2 + $0, consumerSequence: $0, pending: 5 - $0) }
        try withServer { connection in
            Self.serve(messages, on: connection)
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay(from: .sequence(6), completesAtEnd: true))
            let sequences = try read.all().map(\.sequence)
            #expect(sequences == [6, 7])
        }
    }

    @Test("A server that goes back within a stream is a violation, and nothing is emitted twice")
    func backwards() throws {
        let messages = [Stored(sequence: 7, consumerSequence: 1, pending: 2), Stored(sequence: 3, consumerSequence: 2, pending: 1)]
        try withServer { connection in
            Self.serve(messages, on: connection)
        } _: { url in
            let read = Recorder(NATSConnection(url, configuration: quickly()).stream("S").replay())
            #expect(read.failure() == .protocolViolation(.unexpected("message 3 behind 7")))
            let sequences = try read.first(1).map(\.sequence)
            #expect(sequences == [7])
        }
    }

    @Test(
        "An acknowledgement that cannot be true is a typed error, and no element counts as stored",
        arguments: [
            #"{"stream":"OTHER","seq":1}"#, #"{"stream":"S","seq":0}"#, #"{"stream":"S","seq":-3}"#,
            #"{"stream":"S","seq":18446744073709551616}"#, #"{"stream":"S"}"#, #"{"seq":1}"#, "stored", "", "[[[[[[",
        ])
    func acknowledgements(_ answer: String) throws {
        try withServer { connection in
            connection.write(#"INFO {"server_id":"x","max_payload":1000,"headers":true,"jetstream":true}"# + "\r\n")
            _ = connection.read(until: "PING\r\n")
            connection.write("PONG\r\n")
            guard let request = connection.read(until: "element\r\n") else { return }
            let lines = request.components(separatedBy: "\r\n").map { $0.split(separator: " ") }
            guard let inbox = lines.first(where: { $0.first == "SUB" }), let sent = lines.first(where: { $0.first == "HPUB" }) else {
                return
            }
            connection.write("MSG \(sent[2]) \(inbox[2]) \(answer.utf8.count)\r\n\(answer)\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let stored = Recorder(
                Observable.just("element").store(in: bus.stream("S"), id: { _ in 1 }) { $0.acknowledgementTimeout = patience })
            switch stored.failure() {
            case .jetStream(let error)?: #expect(error.reason == "OTHER has stored it, not S")
            case .undecodable?: break
            case let error: Issue.record("\(String(describing: error))")
            }
        }
    }

    @Test("The last message of a stream is read by another consumer when it was lost with the connection")
    func lostEnd() throws {
        let attempts = Lock(0)
        let asksAnother = Lock(false)
        try withServer { connection in
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            // The second and third message do not arrive at the first connection.
            let messages = isFirst ? [(1, 1, 2)] : [(2, 1, 1), (3, 2, 0)]
            let asks = Self.serve(messages.map { Stored(sequence: $0.0, consumerSequence: $0.1, pending: $0.2) }, on: connection)
            if asks { asksAnother.withLock { $0 = true } }
            if isFirst { connection.close() }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay())
            let sequences = try read.first(3).map(\.sequence)
            #expect(sequences == [1, 2, 3])
            #expect(!asksAnother.withLock { $0 })
        }
    }
}
