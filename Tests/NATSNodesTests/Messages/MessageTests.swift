import Foundation
import NATSServers
import StreamsTesting
import Testing

@testable import NATSNodes

@Suite("Messages through a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct MessageTests {
    private struct Quote: Codable, Equatable, Sendable {
        var symbol: String
        var price: Int
    }

    @Test func `What one connection publishes another receives, in order`() throws {
        let server = try NATSServer()
        let (sender, receiver) = (
            NATSConnection(server.url, configuration: patiently()), NATSConnection(server.url, configuration: patiently())
        )
        let received = Recorder(receiver.messages("numbers"))
        try receiver.settle()
        for number in 0..<2_000 { try sender.publish("\(number)", to: "numbers") }
        #expect(try received.first(2_000).map(\.text) == (0..<2_000).map(String.init))
    }

    @Test func `Values travel as JSON, and wildcards receive each with its subject`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let all = Recorder(bus.messages("quotes.>", as: Quote.self))
        let one = Recorder(bus.messages("quotes.*.eur", as: Quote.self))
        try bus.settle()
        let quotes = [Quote(symbol: "a.usd", price: 1), Quote(symbol: "b.eur", price: 2), Quote(symbol: "c", price: 3)]
        try Observable.from(quotes).publish(to: bus, subject: { "quotes.\($0.symbol)" }).wait()
        #expect(try all.first(3).map(\.body) == quotes)
        #expect(try all.first(3).map(\.subject) == ["quotes.a.usd", "quotes.b.eur", "quotes.c"])
        #expect(try one.first(1).map(\.body) == [quotes[1]])
    }

    @Test func `Headers and replies travel with a message`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        try bus.publish(Data([0, 13, 10, 255]), to: "a", reply: "b.c", headers: ["X": "1", "x": "ä", "X": "2"])
        let message = try #require(try received.first(1).first)
        #expect(message.body == Data([0, 13, 10, 255]))
        #expect(message.reply == "b.c")
        #expect(message.headers.values("X") == ["1", "2"])
        #expect(message.headers["x"] == "ä")
    }

    @Test func `A queue group shares the messages, and each arrives once`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let workers = (0..<3).map { worker in bus.messages("jobs", queue: "workers").map { (worker, $0.text) } }
        let received = Recorder(Observable.merge(workers))
        try bus.settle()
        for number in 0..<300 { try bus.publish("\(number)", to: "jobs") }
        let jobs = try received.first(300)
        #expect(Set(jobs.map(\.1)).count == 300)
        #expect(Set(jobs.map(\.0)) == [0, 1, 2])
    }

    @Test func `A disposed subscription is gone from the server, and others stay`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let (first, second) = (Recorder(bus.messages("a")), Recorder(bus.messages("a")))
        try bus.settle()
        try bus.publish("1", to: "a")
        _ = try first.first(1)
        first.dispose()
        try bus.publish("2", to: "a")
        #expect(try second.first(2).map(\.text) == ["1", "2"])
        #expect(bus.core.shared.withLock { $0.state.subscriptions.count } == 1)
        #expect(bus.core.shared.withLock { $0.receivers.count } == 1)
    }

    @Test func `A message of the maximum size arrives whole, and a larger one is refused before it is sent`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(bus.messages("large"))
        try bus.settle()
        let payload = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bus.publish(payload, to: "large")
        #expect(try received.first(1).first?.body == payload)
        #expect(throws: NATSError.messageTooLarge(size: 1_048_577, limit: 1_048_576)) { try bus.publish(payload + [1], to: "large") }
    }

    @Test func `What is not a subject fails the stream and is not published`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: patiently())
        guard case .invalidSubject? = Recorder(bus.messages("a..b")).failure() else { return #expect(Bool(false)) }
        #expect(throws: NATSError.self) { try bus.publish("x", to: "a.*") }
        #expect(throws: NATSError.self) { try bus.publish("x", to: "a b") }
        #expect(throws: NATSError.self) { try bus.publish("x", to: "a", headers: ["A": "b\r\nPUB c 0"]) }
    }

    @Test func `A message that does not fit its type fails the stream with the reason, without the value`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(bus.messages("quotes", as: Quote.self))
        try bus.settle()
        try bus.publish(#"{"symbol": "A", "price": "secret"}"#, to: "quotes")
        #expect(received.failure() == .undecodable(subject: "quotes", reason: "price is no Int"))
    }

    @Test func `A thousand subscriptions share one connection`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(Observable.merge((0..<1_000).map { bus.messages("s.\($0)") }))
        try bus.settle()
        for number in 0..<1_000 { try bus.publish("\(number)", to: "s.\(number)") }
        #expect(try received.first(1_000).map(\.subject) == (0..<1_000).map { "s.\($0)" })
        #expect(server.log.components(separatedBy: "Client connection created").count <= 2)
    }

    @Test func `Without a server the stream fails with its address, and the next use tries again`() throws {
        let server = try NATSServer()
        let port = server.port
        server.kill()
        let bus = NATSConnection("nats://bob:secret@127.0.0.1:\(port)", configuration: patiently())
        guard case .cannotConnect(let servers, let reason)? = Recorder(bus.messages("a")).failure() else { return #expect(Bool(false)) }
        #expect(servers == ["127.0.0.1:\(port)"])
        #expect(!reason.contains("secret"))
        try server.start()
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        try bus.publish("1", to: "a")
        #expect(try received.first(1).count == 1)
    }

    @Test func `A closed connection fails its streams, and accepts nothing`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        bus.close()
        #expect(received.failure() == .closed)
        #expect(throws: NATSError.closed) { try bus.publish("1", to: "a") }
        #expect(Recorder(bus.messages("a")).failure() == .closed)
    }

    @Test(.countsResources) func `Nothing of a connection is left when it and its streams are released`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let received = Recorder(bus.messages("a", as: String.self))
        try bus.settle()
        try bus.publish("1", to: "a")
        #expect(try received.first(1).map(\.body) == ["1"])
    }
}
