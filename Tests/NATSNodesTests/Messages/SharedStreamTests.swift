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
}
