import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// Anybody may publish a message that looks like the server's own answer to a request.
@Suite("Messages with a status line, from publishers", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct StatusLineTests {
    private static let statuses = ["409 Consumer Deleted", "408 Request Timeout", "404 No Messages", "100 Idle Heartbeat", "503"]

    private func headers(_ status: String) -> [UInt8] { Array("NATS/1.0 \(status)\r\n\r\n".utf8) }

    private func withConnection(_ body: (NATSConnection) throws -> Void) throws {
        let server = try NATSServer(.init(hasJetStream: true))
        try body(NATSConnection(server.url, configuration: quickly()))
    }

    @Test(arguments: ["orders.7", "orders.seven"])
    func `A stored one is delivered like any other, by consumers and by replays, whatever its subject`(_ subject: String) throws {
        try withConnection { bus in
            let stream = bus.stream("ORDERS")
            _ = try stream.create {
                $0.subjects = ["orders.*"]
                $0.storage = .memory
            }.ended().one()
            for status in Self.statuses { try bus.core.publish(subject, headers: headers(status), payload: Data()) }
            try bus.publish("x", to: "orders.last")
            try bus.settle()
            let expected = Array(repeating: subject, count: Self.statuses.count) + ["orders.last"]
            let consumed = stream.consume("billing").do(onNext: { $0.acknowledge() }).map(\.subject)
                .take(while: { $0 != "orders.last" }, behavior: .inclusive)
            let deliveries = try Recorder(consumed).all()
            #expect(deliveries == expected)
            let replayed = try Recorder(stream.replay(completesAtEnd: true).map(\.subject)).all()
            #expect(replayed == expected)
            let first = try stream.message(1).ended().one().message
            #expect(first.subject == subject && first.body.isEmpty)
        }
    }

    @Test func `One in a bucket is an entry like any other`() throws {
        try withConnection { bus in
            let bucket = bus.bucket("prices", of: Data.self)
            try bucket.create(history: 5, storage: .memory).ended().get()
            for status in Self.statuses { try bus.core.publish("$KV.prices.7", headers: headers(status), payload: Data()) }
            _ = try bucket.put(Data("x".utf8), "8").ended().one()
            let keys = try Recorder(bucket.all().map(\.key)).all()
            let revisions = try Recorder(bucket.history("7").map(\.revision)).all()
            #expect(keys == ["7", "8"])
            #expect(revisions == [1, 2, 3, 4, 5])
        }
    }

    @Test func `One that is not stored is a message and a question like any other`() throws {
        try withConnection { bus in
            let received = Recorder(bus.messages("orders.7").map(\.body.count))
            let service = bus.serve("length.7", as: Data.self) { .just($0.count) }.subscribe()
            defer { service.dispose() }
            try bus.settle()
            for status in Self.statuses { try bus.core.publish("orders.7", headers: headers(status), payload: Data()) }
            let counts = try received.first(Self.statuses.count)
            #expect(counts == Self.statuses.map { _ in 0 })
            let answer = try Recorder(bus.core.answers(to: "length.7", headers: headers("503")) { Data() }.map(\.text)).first(1)
            #expect(answer == ["0"])
        }
    }
}
