import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Messages through a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
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
        try Observable.from(quotes).publish(to: bus, subject: { "quotes.\($0.symbol)" }).ended().get()
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

    @Test(arguments: ["", " ", ".", "a..b", "a b", "a\r\nPUB b 0"])
    func `What is not a subject is a typed error and is not sent, also as the first use of a connection`(_ subject: String) throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let events = Recorder(bus.events)
        #expect(performing: { try bus.publish("x", to: subject) }, throws: isInvalidSubject)
        #expect(performing: { try bus.publish("x", to: "a", reply: subject) }, throws: isInvalidSubject)
        #expect(isInvalidSubject(Recorder(bus.messages(subject)).failure()))
        #expect(isInvalidSubject(Recorder(bus.messages(subject, as: Quote.self)).failure()))
        #expect(isInvalidSubject(Recorder(bus.request(Data(), to: subject).asObservable()).failure()))
        #expect(isInvalidSubject(Recorder(bus.requestNode(subject, String.self, String.self).stream("x")).failure()))
        #expect(isInvalidSubject(Recorder(bus.serve(subject, as: String.self) { .just($0) }.asObservable()).failure()))
        #expect(isInvalidSubject(Recorder(Observable.just(1).share(over: bus, subject)).failure()))
        #expect(isInvalidSubject(Recorder(Observable.just(1).publish(to: bus, subject).asObservable()).failure()))
        #expect(isInvalidSubject(Recorder(Observable.just(1).store(in: bus.stream("S"), subject: { _ in subject })).failure()))
        #expect(bus.serverInfo == nil)
        try bus.settle()
        bus.close()
        let name = bus.serverInfo?.serverName ?? ""
        let kinds = try events.all().map(\.description)
        #expect(kinds == ["Connected to \(name).", "The connection was closed."])
    }

    @Test func `Wildcards in what is published, names of queue groups and headers are checked too`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: patiently())
        for subject in ["*", ">", "a.*", "a.>", "*.a"] {
            #expect(performing: { try bus.publish("x", to: subject) }, throws: isInvalidSubject)
            #expect(performing: { try bus.publish("x", to: "a", reply: subject) }, throws: isInvalidSubject)
            #expect(isInvalidSubject(Recorder(bus.request(Data(), to: subject).asObservable()).failure()))
        }
        for queue in ["", "a b", "a\r\nPUB b 0"] { #expect(isInvalidSubject(Recorder(bus.messages("a", queue: queue)).failure())) }
        #expect(throws: NATSError.self) { try bus.publish("x", to: "a", headers: ["A": "b\r\nPUB c 0"]) }
    }

    @Test func `A message that does not fit its type is skipped and reported, with the reason and a count, without the value`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        let skipped = Recorder(bus.events.compactMap(\.skippedMessage))
        let received = Recorder(bus.messages("quotes", as: Quote.self).map(\.body.price))
        try bus.settle()
        for body in [#"{"symbol": "A", "price": 1}"#, "{", "", #"{"symbol": "A", "price": "secret"}"#, #"{"symbol": "A", "price": 2}"#] {
            try bus.publish(body, to: "quotes")
        }
        let prices = try received.first(2)
        #expect(prices == [1, 2])
        let reasons = ["it is not JSON", "it is not JSON", "price is no Int"]
        let expected = zip(reasons, 1...).map { Skipped(error: .undecodable(subject: "quotes", reason: $0), count: $1) }
        let reported = try skipped.first(3)
        #expect(reported == expected)
    }

    @Test func `The name of a member in a report is shortened, and has no control characters`() throws {
        let coding = BodyCoding(configuration: NATSConnection.Configuration())
        let name = "\u{1B}[2J" + String(repeating: "\u{301}", count: 10_000)
        let error = #expect(throws: NATSError.self) {
            try coding.decode([String: Int].self, from: try JSONEncoder().encode([name: "x"]), of: "a")
        }
        #expect(error?.description.utf8.count ?? .max < 1_000 && error?.description.contains("\u{1B}") == false)
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
        #expect(reason == "Connection refused")
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

/// Whether an error says that something is no subject.
@Sendable
private func isInvalidSubject(_ error: (any Error)?) -> Bool {
    if case .invalidSubject? = error as? NATSError { true } else { false }
}
