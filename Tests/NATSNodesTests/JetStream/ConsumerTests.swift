import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Consumers of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct ConsumerTests {
    private func withStream(_ body: (NATSConnection, NATSStream) throws -> Void) throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("S")
        _ = try stream.create {
            $0.storage = .memory
            $0.subjects = ["a.*", "b.*"]
        }.ended().one()
        try body(bus, stream)
    }

    @Test func `Without bodies the headers arrive, and the size of the body that is left out`() throws {
        try withStream { bus, stream in
            try bus.publish("hello", to: "a.1", headers: ["Kind": "greeting"])
            let delivery = try stream.consume("heads") { $0.headersOnly = true }.take(1).ended().one()
            #expect(delivery.body.isEmpty && delivery.bodySize == 5)
            #expect(delivery.headers["Kind"] == "greeting")
            let whole = try stream.consume("whole").take(1).ended().one()
            #expect(whole.body == Data("hello".utf8) && whole.bodySize == 5)
        }
    }

    @Test func `With a backoff each delivery has a time of its own, up to the most that are allowed`() throws {
        try withStream { bus, stream in
            try bus.publish("x", to: "a.1")
            let deliveries = Recorder(
                stream.consume("work") {
                    $0.backoff = [.milliseconds(10), .milliseconds(20)]
                    $0.maximumDeliveries = 3
                    $0.description = "tries thrice"
                })
            let counts = try deliveries.first(3).map(\.deliveries)
            #expect(counts == [1, 2, 3])
            let info = try stream.consumerInfo("work").ended().one()
            #expect(info.description == "tries thrice" && info.lastSequence == 1)
        }
    }

    @Test func `Consumers are listed with how far they have come`() throws {
        try withStream { bus, stream in
            for number in 1...5 { try bus.publish(number, to: number < 4 ? "a.\(number)" : "b.\(number)") }
            let taken = try stream.consume("some") { $0.filter = "a.*" }.take(2).ended().get()
            try taken[0].acknowledgeConfirmed().ended().get()
            let finished = try stream.consume("other").take(1).ended().one().acknowledgeConfirmed()
            try finished.ended().get()
            let consumers = try stream.consumers().ended().get().sorted { $0.name < $1.name }
            #expect(consumers.map(\.name) == ["other", "some"])
            let (other, some) = (consumers[0], consumers[1])
            #expect(other.filters.isEmpty && some.filters == ["a.*"])
            #expect(some.unacknowledged == 2 && some.pending == 0 && some.lastSequence >= 3)
            #expect(other.unacknowledged == 4 && other.redelivered == 0 && other.lastSequence == 5)
            #expect(abs(some.created.timeIntervalSinceNow) < 600)
            guard case .jetStream(let error)? = Recorder(stream.consumerInfo("none").asObservable()).failure() else {
                return #expect(Bool(false))
            }
            #expect(error.status == 404)
        }
    }

    @Test func `Several filters are refused where the server would ignore them, before anything is created`() throws {
        try withStream { bus, stream in
            try bus.publish("x", to: "a.1")
            let consumed = Recorder(stream.consume("both") { $0.filters = ["a.1", "b.1"] })
            let version = try #require(bus.serverInfo?.version)
            guard version.hasPrefix("2.9.") || version.hasPrefix("2.8.") else { return _ = try consumed.first(1) }
            let reason = "it knows one filter of a consumer"
            #expect(consumed.failure() == .unsupported(server: "NATS \(version)", reason: reason))
            let consumers = try stream.consumers().ended().get()
            #expect(consumers.isEmpty)
        }
    }

    @Test func `A request names one filter or several, and what is not the default`() throws {
        var configuration = NATSStream.ConsumerConfiguration()
        configuration.filter = "a"
        #expect(try fields(of: configuration)["filter_subject"] as? String == "a")
        configuration.filters.append("b")
        (configuration.backoff, configuration.headersOnly, configuration.metadata) = ([.seconds(1)], true, ["team": "billing"])
        let fields = try fields(of: configuration)
        #expect(fields["filter_subject"] == nil && fields["filter_subjects"] as? [String] == ["a", "b"])
        #expect(fields["backoff"] as? [Int] == [1_000_000_000] && fields["headers_only"] as? Bool == true)
        #expect(fields["metadata"] as? [String: String] == ["team": "billing"])
        configuration = NATSStream.ConsumerConfiguration()
        #expect(Set(try self.fields(of: configuration).keys).isDisjoint(with: ["filter_subject", "backoff", "headers_only", "metadata"]))
    }

    @Test func `What a later server says of a consumer is there: filters and notes`() throws {
        let text = """
            {"name":"c","created":"2026-11-22T21:00:00.123456789Z","num_pending":1,"delivered":{"consumer_seq":2,"stream_seq":9},
             "config":{"filter_subjects":["a","b"],"metadata":{"team":"billing"}}}
            """
        let info = try JSONDecoder().decode(NATSStream.ConsumerInfo.self, from: Data(text.utf8))
        #expect(info.filters == ["a", "b"] && info.metadata == ["team": "billing"] && info.lastSequence == 9)
        #expect(abs(info.created.timeIntervalSince1970 - 1_795_381_200.123) < 0.001)
    }

    private func fields(of configuration: NATSStream.ConsumerConfiguration) throws -> [String: Any] {
        let request = ConsumerRequest(stream: "S", durable: "c", isOrdered: false, configuration: configuration)
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(request)) as? [String: Any]
        return try #require(object?["config"] as? [String: Any])
    }
}
