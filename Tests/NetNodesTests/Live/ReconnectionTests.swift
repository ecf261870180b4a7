import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Reconnecting to a stream of events", .onOneThread, .countsResources, .blocksThread)
struct ReconnectionTests {
    /// When the connections were made, in milliseconds, to a server that sends this each time and closes at once.
    private func connections(_ text: String, until end: Duration, attempts: Int? = nil) -> [Int] {
        let scheduler = TestScheduler()
        let reconnection = ServerSentEventsNode.Reconnection(attempts: attempts, scheduler: scheduler)
        let times = Lock([Int]())
        let transport = StubTransport { request in
            times.withLock { $0.append(Int(scheduler.now / .milliseconds(1))) }
            return .text(text, headers: ["Content-Type": "text/event-stream"], to: request)
        }
        let events = URLChain(transport: transport).route(.get, "http://h/").events(reconnection: reconnection)
        let subscription = events.stream().subscribe { _ in }
        scheduler.advance(to: end)
        subscription.dispose()
        return times.withLock { $0 }
    }

    @Test func `A server that requests no delay is reconnected after a tenth of a second, then with backoff`() {
        #expect(connections("retry: 0\n\n", until: .seconds(60)) == [0, 100, 300, 700, 1500, 3100, 6300, 12700, 25500, 51100])
    }

    @Test func `A server that sends one event and closes immediately is reconnected at most once a second`() {
        #expect(connections("retry: 0\ndata: x\n\n", until: .seconds(4)) == [0, 100, 300, 700, 1500, 2500, 3500])
    }

    @Test func `A delay requested by the server is respected, up to an hour`() {
        #expect(connections("retry: 60000\ndata: x\n\n", until: .seconds(200)) == [0, 60_000, 120_000, 180_000])
        for wait in ["3600000", "9223372036854775807"] {
            #expect(connections("retry: \(wait)\n\n", until: .seconds(7200)) == [0, 3_600_000, 7_200_000])
        }
        #expect(connections("retry: 99999999999999999999\n\n", until: .seconds(4)) == [0, 1000, 3000])
    }

    @Test func `Attempts are limited without events, and unlimited with events`() {
        #expect(connections("retry: 0\n\n", until: .seconds(60), attempts: 2) == [0, 100, 300])
        #expect(connections("retry: 0\ndata: x\n\n", until: .seconds(4), attempts: 2).count == 7)
    }

    @Test func `A connection that lasted for a while is reconnected without delay`() throws {
        let scheduler = TestScheduler()
        var backoff = ReconnectionBackoff(ServerSentEventsNode.Reconnection(delay: .seconds(1), scheduler: scheduler))
        backoff.serverDelay = .zero
        let delays = [Duration.zero, .zero, .seconds(5), .zero, .zero].map { stood in
            backoff.beginConnection()
            backoff.noteEvent()
            scheduler.advance(by: stood)
            return backoff.endConnection()
        }
        #expect(delays == [.milliseconds(100), .milliseconds(200), .milliseconds(100), .milliseconds(200), .milliseconds(400)])
    }

    @Test(arguments: ["retry: 0\n\n", "retry: 0\ndata: x\n\n"]) func `Over a real socket too`(text: String) throws {
        let fourth = AsyncSubject<Void>()
        let requests = Counter()
        let server = try ScriptedServer { connection in
            guard connection.readRequest() != nil else { return }
            requests.increment()
            if requests.value == 4 {
                fourth.onNext(())
                fourth.onCompleted()
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + text)
        }
        let events = URLChain(transport: CurlTransport()).route(.get, server.url()).events().stream()
        let start = ContinuousClock.now
        #expect(events.take(until: fourth).ended().error == nil)
        #expect(requests.value == 4)
        // 100, 200 and 400 ms.
        #expect(ContinuousClock.now - start >= .milliseconds(690))
    }
}
