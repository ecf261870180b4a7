import Foundation
import NATSServers
import StreamsTesting
import Testing

@testable import NATSNodes

/// A server that answers as one does whose replica of a stream lacks the newest messages.
@Suite("Reading from a replica that is behind")
struct LaggingReplicaTests {
    /// The fields of a command that a client has sent.
    private static func fields(of command: String, in text: String) -> [String] {
        let line = text.components(separatedBy: "\r\n").last { $0.hasPrefix(command) } ?? ""
        return line.split(separator: " ").map(String.init)
    }

    @Test("A replay emits nothing before its position, wherever the consumer begins")
    func positions() throws {
        try withServer { connection in
            connection.write(#"INFO {"server_id":"x","max_payload":1000,"headers":true,"jetstream":true}"# + "\r\n")
            _ = connection.read(until: "PING\r\n")
            connection.write("PONG\r\n")
            guard let creation = connection.read(until: "\"stream_name\"") else { return }
            let consumer = #"{"name":"c","num_pending":5}"#
            let create = Self.fields(of: "PUB $JS.API.CONSUMER.CREATE.S", in: creation)
            connection.write("MSG \(create[2]) \(Self.fields(of: "SUB", in: creation)[2]) \(consumer.utf8.count)\r\n\(consumer)\r\n")
            guard let pull = connection.read(until: "idle_heartbeat") else { return }
            let subscription = Self.fields(of: "SUB", in: pull)[2]
            for number in 1...5 {
                connection.write(
                    "MSG S \(subscription) $JS.ACK.S.c.1.\(2 + number).\(number).1700000000000000000.\(5 - number) 1\r\n\(number)\r\n")
            }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let read = Recorder(bus.stream("S").replay(from: .sequence(6), completesAtEnd: true))
            let sequences = try read.all().map(\.sequence)
            #expect(sequences == [6, 7])
        }
    }
}
