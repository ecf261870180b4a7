import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// A subscriber that suspends its source, and counts what it receives.
private final class SuspendingSubscriber<Element: Sendable>: Sendable {
    let gate = Gate()
    private let events = ReplaySubject<Element>.createUnbounded()
    private let received = Lock<[Element]>([])

    /// - Parameter suspends: whether it suspends behind an element, by the number of elements.
    func subscribe(to stream: Observable<Element>, suspendingAt suspends: @escaping @Sendable (Int) -> Bool) {
        stream.subscribe(in: gate) { [self] event in
            if let element = event.element {
                let count = received.withLock { received in
                    received.append(element)
                    return received.count
                }
                if suspends(count) { gate.suspend() }
            }
            events.on(event)
        }
    }

    var count: Int { received.withLock { $0.count } }
    var elements: [Element] { received.withLock { $0 } }

    /// Waits for the first elements.
    func first(_ count: Int) throws -> [Element] {
        try events.take(count).ended().get()
    }

    func all() throws -> [Element] {
        try events.ended().get()
    }

    var failure: (any Error)? { events.ended().error }

    func resume() { gate.resume().perform() }

    deinit { gate.dispose() }
}

/// A server's description of a consumer.
private struct ConsumerState: Decodable, Sendable {
    /// Messages that were delivered and not acknowledged.
    let unacknowledged: Int
    /// Messages that were not delivered.
    let pending: Int
    /// Requests for messages that are not answered.
    let requests: Int
    let redelivered: Int

    private enum CodingKeys: String, CodingKey {
        case unacknowledged = "num_ack_pending"
        case pending = "num_pending"
        case requests = "num_waiting"
        case redelivered = "num_redelivered"
    }
}

@Suite("Suspended streams of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct SuspensionTests {
    private func withStream(count: Int, _ body: (NATSConnection, NATSStream) throws -> Void) throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("S")
        _ = try stream.create { $0.storage = .memory }.ended().one()
        let stored = Observable.range(start: 1, count: count).map { "\($0)" }.store(in: stream)
        if count > 0 { #expect(try stored.ended().get().count == count) }
        try body(bus, stream)
    }

    private func state(of consumer: String, _ stream: NATSStream) throws -> ConsumerState {
        try stream.bus.settle()
        return try stream.api.call("CONSUMER.INFO.\(stream.name).\(consumer)", as: ConsumerState.self).ended().one()
    }

    @Test func `A suspended consumer leaves on the server what it has not asked for, and asks for it when it resumes`() throws {
        try withStream(count: 100) { bus, stream in
            let subscriber = SuspendingSubscriber<NATSStream.Delivery<String>>()
            subscriber.subscribe(to: stream.consume("slow", as: String.self) { $0.maximumInFlight = 8 }) { $0 == 8 || $0 == 16 }
            for delivery in try subscriber.first(8) { delivery.acknowledge() }
            let suspended = try state(of: "slow", stream)
            #expect(suspended.unacknowledged == 0 && suspended.pending == 92 && suspended.requests == 0)
            #expect(subscriber.count == 8)
            subscriber.resume()
            let numbers = try subscriber.first(16).map(\.body)
            #expect(numbers == (1...16).map { "\($0)" })
            let again = try state(of: "slow", stream)
            #expect(again.unacknowledged == 8 && again.pending == 84)
        }
    }

    @Test func `What has arrived for a suspended consumer is not acknowledged, and is emitted when it resumes`() throws {
        try withStream(count: 100) { bus, stream in
            let subscriber = SuspendingSubscriber<String>()
            let bodies = stream.consume("slow", as: String.self) { $0.maximumInFlight = 8 }.do(onNext: { $0.acknowledge() }).map(\.body)
            subscriber.subscribe(to: bodies) { $0 == 1 }
            _ = try subscriber.first(1)
            let suspended = try state(of: "slow", stream)
            #expect(suspended.unacknowledged == 7 && suspended.pending == 92)
            #expect(subscriber.count == 1)
            subscriber.resume()
            let numbers = try subscriber.first(100)
            #expect(numbers == (1...100).map { "\($0)" })
            let resumed = try state(of: "slow", stream)
            #expect(resumed.unacknowledged == 0 && resumed.pending == 0 && resumed.redelivered == 0)
        }
    }

    @Test(arguments: [1, 2, 8, 256])
    func `Suspended and resumed at every message, a consumer and a replay emit each once and in order`(_ inFlight: Int) throws {
        try withStream(count: 100) { bus, stream in
            let (consumed, replayed) = (SuspendingSubscriber<String>(), SuspendingSubscriber<String>())
            let bodies = stream.consume("slow", as: String.self) { $0.maximumInFlight = inFlight }
                .do(onNext: { $0.acknowledge() }).map(\.body)
            consumed.subscribe(to: bodies) { _ in true }
            replayed.subscribe(to: stream.replay(as: String.self).map(\.body)) { _ in true }
            for subscriber in [consumed, replayed] {
                for count in 1...100 {
                    let numbers = try subscriber.first(count)
                    #expect(numbers.last == "\(count)" && subscriber.count == count)
                    subscriber.resume()
                }
            }
            let end = try state(of: "slow", stream)
            #expect(end.unacknowledged == 0 && end.pending == 0 && end.redelivered == 0)
        }
    }

    @Test func `Suspended and resumed on another thread, nothing is lost, doubled or out of order`() throws {
        try withStream(count: 2_000) { bus, stream in
            let subscriber = SuspendingSubscriber<String>()
            let bodies = stream.consume("slow", as: String.self) { $0.maximumInFlight = 64 }
                .do(onNext: { $0.acknowledge() }).map(\.body)
            subscriber.subscribe(to: bodies) { _ in false }
            while subscriber.count < 2_000 {
                subscriber.gate.suspend()
                subscriber.resume()
            }
            let numbers = try subscriber.first(2_000)
            #expect(numbers == (1...2_000).map { "\($0)" })
        }
    }

    @Test func `Disposed while suspended, a consumer leaves the rest to the next subscriber`() throws {
        try withStream(count: 20) { bus, stream in
            let first = SuspendingSubscriber<String>()
            let bodies = stream.consume("slow", as: String.self) {
                ($0.maximumInFlight, $0.acknowledgementWait) = (4, .milliseconds(100))
            }
            .do(onNext: { $0.acknowledge() }).map(\.body)
            first.subscribe(to: bodies) { $0 == 5 }
            _ = try first.first(5)
            first.gate.dispose()
            first.gate.resume().perform()
            try bus.settle()
            #expect(first.count == 5)
            // Messages that had arrived for the first are delivered again, in any order.
            let rest = try Recorder(bodies.distinct()).first(15)
            #expect(rest.sorted { Int($0) ?? 0 < Int($1) ?? 0 } == (6...20).map { "\($0)" })
        }
    }

    @Test func `A suspended replay ends only behind what it keeps, and goes on behind a lost connection`() throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("S")
        _ = try stream.create().ended().one()
        try Observable.range(start: 1, count: 600).map { "\($0)" }.store(in: stream).ended().get()
        let events = Recorder(bus.events)
        let subscriber = SuspendingSubscriber<String>()
        subscriber.subscribe(to: stream.replay(completesAtEnd: true, as: String.self).map(\.body)) { $0 == 10 }
        _ = try subscriber.first(10)
        server.kill()
        try server.start()
        try events.first { if case .reconnected = $0 { true } else { false } }
        #expect(subscriber.count == 10)
        subscriber.resume()
        let numbers = try subscriber.all()
        #expect(numbers == (1...600).map { "\($0)" })
    }

    @Test func `A source that is faster than the server is suspended, and everything is stored once and in order`() throws {
        try withStream(count: 0) { bus, stream in
            let source = Observable.range(start: 1, count: 2_000).map { "\($0)" }
            let stored = source.store(in: stream) {
                ($0.maximumInFlight, $0.overflow) = (32, .suspend(capacity: 100))
            }
            let sequences = try stored.map(\.sequence).ended().get()
            #expect(sequences == Array(1...2_000))
            let bodies = try stream.replay(completesAtEnd: true, as: String.self).map(\.body).ended().get()
            #expect(bodies == (1...2_000).map { "\($0)" })
        }
    }

    @Test func `While its acknowledgements are not taken, a store sends nothing more, and its source is suspended`() throws {
        try withStream(count: 0) { bus, stream in
            let pulled = Lock(0)
            let source = Observable.range(start: 1, count: 1_000).map { number in
                pulled.withLock { $0 += 1 }
                return "\(number)"
            }
            let subscriber = SuspendingSubscriber<Int>()
            let stored = source.store(in: stream) { ($0.maximumInFlight, $0.overflow) = (8, .suspend(capacity: 16)) }
            subscriber.subscribe(to: stored.map(\.sequence)) { $0 == 1 }
            _ = try subscriber.first(1)
            try bus.settle()
            let messages = try stream.info().ended().one().state.messages
            #expect(messages <= 9 && subscriber.count == 1 && pulled.withLock { $0 } <= 8 + 16 + 1)
            subscriber.resume()
            let sequences = try subscriber.all()
            #expect(sequences == Array(1...1_000))
        }
    }

    @Test func `Acknowledgements that are taken one by one are those of all elements, in order`() throws {
        try withStream(count: 0) { bus, stream in
            let subscriber = SuspendingSubscriber<Int>()
            let stored = Observable.range(start: 1, count: 200).map { "\($0)" }.store(in: stream) { $0.maximumInFlight = 4 }
            subscriber.subscribe(to: stored.map(\.sequence)) { _ in true }
            for count in 1...200 {
                _ = try subscriber.first(count)
                #expect(subscriber.count == count)
                subscriber.resume()
            }
            let sequences = try subscriber.all()
            #expect(sequences == Array(1...200))
        }
    }

    @Test func `The changes of a bucket wait for a suspended watcher, and a plain subject does not`() throws {
        try withStream(count: 0) { bus, stream in
            let bucket = bus.bucket("prices", of: Int.self)
            try bucket.create(history: 64, storage: .memory).ended().get()
            let (watcher, listener) = (SuspendingSubscriber<Int>(), SuspendingSubscriber<String>())
            watcher.subscribe(to: bucket.watch("ACME").compactMap(\.value)) { _ in true }
            listener.subscribe(to: bus.messages("plain", as: String.self).map(\.body)) { _ in true }
            try bus.settle()
            for number in 1...20 {
                _ = try bucket.put(number, "ACME").ended().one()
                try bus.publish("\(number)", to: "plain")
            }
            let plain = try listener.first(20)
            #expect(plain == (1...20).map { "\($0)" })
            for count in 1...20 {
                let prices = try watcher.first(count)
                #expect(prices == Array(1...count) && watcher.count == count)
                watcher.resume()
            }
        }
    }
}

@Suite("A suspended consumer of a scripted server", .blocksThread)
struct SuspendedConsumerTests {
    @Test func `A message that has arrived for a suspended consumer is extended, and not acknowledged`() throws {
        let words = ReplaySubject<String>.createUnbounded()
        try withServer { connection in
            let session = ScriptedSession(connection)
            while let publication = session.next() {
                let name = publication.subject
                if name.contains("CONSUMER.DURABLE.CREATE") { session.send(#"{"name":"slow","num_pending":3}"#, to: publication.reply) }
                if name.contains("CONSUMER.MSG.NEXT") {
                    for number in 1...3 {
                        let reply = "$JS.ACK.S.slow.1.\(number).\(number).1700000000000000000.\(3 - number)"
                        session.send("\(number)", to: publication.reply, as: "S", reply: reply)
                    }
                }
                if name.hasPrefix("$JS.ACK.") { words.onNext(String(name.split(separator: ".")[5]) + publication.payload) }
            }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let subscriber = SuspendingSubscriber<NATSStream.Delivery<String>>()
            let deliveries = bus.stream("S").consume("slow", as: String.self) {
                ($0.maximumInFlight, $0.acknowledgementWait) = (3, .milliseconds(60))
            }
            subscriber.subscribe(to: deliveries) { $0 == 1 }
            let first = try subscriber.first(1)
            let extended = try words.take(4).ended().get()
            #expect(extended == ["2+WPI", "3+WPI", "2+WPI", "3+WPI"])
            #expect(subscriber.count == 1)
            subscriber.resume()
            let bodies = try subscriber.first(3).map(\.body)
            #expect(bodies == ["1", "2", "3"] && first.count == 1)
        }
    }

    @Test func `While a consumer is suspended, requests that have expired are not repeated, and nothing fails`() throws {
        let requests = ReplaySubject<String>.createUnbounded()
        let asked = Lock(0)
        try withServer { connection in
            let session = ScriptedSession(connection)
            while let publication = session.next() {
                let name = publication.subject
                if name.contains("CONSUMER.DURABLE.CREATE") { session.send(#"{"name":"slow","num_pending":3}"#, to: publication.reply) }
                guard name.contains("CONSUMER.MSG.NEXT") else { continue }
                asked.withLock { $0 += 1 }
                requests.onNext(publication.payload)
                let reply = "$JS.ACK.S.slow.1.1.1.1700000000000000000.1"
                session.send("x", to: publication.reply, as: "S", reply: reply)
            }
        } _: { url in
            let scheduler = VirtualTimeScheduler()
            let bus = NATSConnection(url, configuration: quickly { $0.scheduler = scheduler })
            let subscriber = SuspendingSubscriber<NATSStream.Delivery<String>>()
            let deliveries = bus.stream("S").consume("slow", as: String.self) {
                ($0.maximumInFlight, $0.heartbeat, $0.pullExpiry) = (3, .milliseconds(10), .milliseconds(20))
            }
            // Suspended from the first message on: silent as the server is, it is asked again only when the consumer resumes.
            subscriber.subscribe(to: deliveries) { _ in true }
            for delivery in try subscriber.first(1) { delivery.acknowledge() }
            scheduler.advance(by: .milliseconds(200))
            try bus.settle()
            #expect(asked.withLock { $0 } == 1 && subscriber.count == 1)
            subscriber.resume()
            try requests.take(2).ended().get()
            _ = try subscriber.first(2)
        }
    }
}
