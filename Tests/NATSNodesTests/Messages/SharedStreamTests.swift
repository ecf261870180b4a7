import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Shared streams of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct SharedStreamTests {
    private struct Quote: Codable, Equatable, Sendable {
        var price: Int
    }

    private func connections() throws -> (NATSServer, here: NATSConnection, there: NATSConnection) {
        let server = try NATSServer(.init(hasJetStream: true))
        return (server, NATSConnection(server.url, configuration: patiently()), NATSConnection(server.url, configuration: patiently()))
    }

    /// Shares, and returns when the source is subscribed to: once the stream is there.
    private func share<Element: Codable & Sendable>(
        _ source: PublishSubject<Element>, over bus: NATSConnection, _ subject: String, replay: Int
    ) throws -> Recorder<Element> {
        let published = Recorder(source.share(over: bus, subject, replay: replay))
        while !source.hasObservers { try bus.settle() }
        return published
    }

    @Test func `Subjects that differ in a dot and an underscore are stored apart`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let subjects = ["quotes.eu", "quotes_eu", "quotes=_eu", "quotes=.eu"]
        let sources = subjects.map { _ in PublishSubject<Int>() }
        let shared = try zip(sources, subjects).map { try share($0, over: here, $1, replay: 1) }
        for (number, source) in sources.enumerated() { source.onNext(number) }
        try here.settle()
        for (number, subject) in subjects.enumerated() {
            let first = try Recorder(there.shared(subject, as: Int.self, replay: 1)).first(1)
            #expect(first == [number])
        }
        withExtendedLifetime(shared) {}
    }

    @Test func `A late subscriber receives the last element first, and the source's end is not its end`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let source = PublishSubject<Int>()
        let published = try share(source, over: here, "quotes.all", replay: 1)
        source.onNext(1)
        source.onNext(2)
        let own = try published.first(2)
        #expect(own == [1, 2])
        try here.settle()
        let late = Recorder(there.shared("quotes.all", as: Int.self, replay: 1))
        let first = try late.first(1)
        #expect(first == [2])
        source.onNext(3)
        source.onCompleted()
        let all = try published.all()
        #expect(all == [1, 2, 3])
        // Only one element is stored: the next could take its place before it was delivered.
        _ = try late.first(2)
        let next = PublishSubject<Int>()
        let continued = try share(next, over: here, "quotes.all", replay: 1)
        next.onNext(4)
        next.onError(NATSError.closed)
        #expect(continued.failure() == .closed)
        _ = try late.first(3)
        let last = PublishSubject<Int>()
        let again = try share(last, over: here, "quotes.all", replay: 1)
        last.onNext(5)
        let received = try late.first(4)
        #expect(received == [2, 3, 4, 5])
        withExtendedLifetime(again) {}
    }

    @Test(arguments: [0, 10])
    func `What others publish ends the shared stream for nobody, now and for those who come late`(replay: Int) throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let source = PublishSubject<Quote>()
        let published = try share(source, over: here, "quotes", replay: replay)
        defer { withExtendedLifetime(published) {} }
        let skipped = Recorder(there.events.compactMap(\.skippedMessage))
        // Without a stored stream nothing is replayed, and the subscription has to be there first.
        let early = Recorder(there.shared("quotes", as: Quote.self, replay: replay))
        try there.settle()
        source.onNext(Quote(price: 1))
        _ = try early.first(1)
        let bad: [(body: String, headers: NATSHeaders)] = [
            ("{", [:]), ("", [:]), ("", ["Streams-Event": "completed"]), ("over", ["Streams-Event": "error"]), ("[]", [:]), ("\u{0}", [:]),
        ]
        for message in bad { try here.publish(message.body, to: "quotes", headers: message.headers) }
        source.onNext(Quote(price: 2))
        let prices = try early.first(2).map(\.price)
        #expect(prices == [1, 2])
        let counts = try skipped.first(bad.count).map(\.count)
        #expect(counts == Array(1...bad.count))
        guard replay > 0 else { return }
        let late = Recorder(there.shared("quotes", as: Quote.self, replay: replay))
        let replayed = try late.first(2).map(\.price)
        #expect(replayed == [1, 2])
        source.onNext(Quote(price: 3))
        let (earlyLast, lateLast) = (try early.first(3).last, try late.first(3).last)
        #expect(earlyLast == Quote(price: 3) && lateLast == Quote(price: 3))
    }

    @Test func `A subscriber that is there before anybody shares waits, and tells of it`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let events = Recorder(there.events)
        let early = Recorder(there.shared("quotes", as: Int.self, replay: 1))
        let event = try events.first { if case .waiting = $0 { true } else { false } }
        #expect(event == .waiting(.jetStream(NATSError.JetStreamFailure(status: 404, code: 10_059, reason: "stream not found"))))
        let source = PublishSubject<Int>()
        let published = try share(source, over: here, "quotes", replay: 1)
        source.onNext(1)
        let received = try early.first(1)
        #expect(received == [1])
        withExtendedLifetime(published) {}
    }

    @Test func `Elements that were missed without a connection are counted`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let events = Recorder(there.events)
        let source = PublishSubject<Int>()
        let published = try share(source, over: here, "quotes", replay: 1)
        let received = Recorder(there.shared("quotes", as: Int.self, replay: 1))
        source.onNext(1)
        _ = try received.first(1)
        there.suspend()
        for element in 2...6 { source.onNext(element) }
        try here.settle()
        there.resume()
        let all = try received.first(2)
        #expect(all == [1, 6])
        try events.first { $0 == .missed(subject: "quotes", count: 4) }
        withExtendedLifetime(published) {}
    }

    @Test func `A server that is started again has the latest elements again, and subscribers go on and are told of the gap`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let (events, ownEvents) = (Recorder(there.events), Recorder(here.events))
        let source = PublishSubject<Int>()
        let published = try share(source, over: here, "quotes", replay: 2)
        let received = Recorder(there.shared("quotes", as: Int.self, replay: 2))
        for element in 1...4 {
            source.onNext(element)
            _ = try received.first(element)
        }
        server.kill()
        try ownEvents.first { if case .disconnected = $0 { true } else { false } }
        source.onNext(5)
        try server.start()
        // As a late subscriber: the elements that are stored.
        let all = try received.first(6)
        #expect(all == [1, 2, 3, 4, 4, 5])
        try events.first { $0 == .missed(subject: "quotes", count: nil) }
        let late = Recorder(NATSConnection(server.url, configuration: patiently()).shared("quotes", as: Int.self, replay: 2))
        let latest = try late.first(2)
        #expect(latest == [4, 5])
        source.onNext(6)
        let (next, lateNext) = (try received.first(7).last, try late.first(3).last)
        #expect(next == 6 && lateNext == 6)
        withExtendedLifetime(published) {}
    }

    @Test func `Elements that were published meanwhile are not stored again behind newer ones`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let (source, others) = (PublishSubject<Int>(), PublishSubject<Int>())
        let published = [try share(source, over: here, "quotes", replay: 10), try share(others, over: there, "quotes", replay: 10)]
        source.onNext(1)
        try here.settle()
        others.onNext(2)
        try there.settle()
        server.kill()
        try server.start()
        let late = Recorder(NATSConnection(server.url, configuration: patiently()).shared("quotes", as: Int.self, replay: 10))
        let first = try late.first(1)
        // Whichever process is first: the other's is refused, because the stream has an element.
        #expect(first == [1] || first == [2])
        others.onNext(3)
        let second = try late.first(2).last
        #expect(second == 3)
        withExtendedLifetime(published) {}
    }

    @Test func `A replay of a stream that a server has lost fails, also when there is a new one of its name`() throws {
        let (server, here, there) = try connections()
        defer { withExtendedLifetime(server) {} }
        let stream = here.stream("S")
        let creation = stream.create { $0.storage = .memory }.asObservable()
        try creation.ended().get()
        let read = Recorder(there.stream("S").replay(as: Int.self).map(\.body))
        for element in 1...3 { try here.publish(element, to: "S") }
        let elements = try read.first(3)
        #expect(elements == [1, 2, 3])
        let events = Recorder(here.events)
        server.kill()
        try server.start()
        try events.first { if case .reconnected = $0 { true } else { false } }
        try creation.retry().ended().get()
        guard case .jetStream(let error)? = read.failure() else { return #expect(Bool(false)) }
        #expect(error.status == 404 && error.code == 10_059)
    }
}
