import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Streams of a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct StreamTests {
    private struct Order: Codable, Equatable, Sendable {
        var number: Int
        var item = "tea"
    }

    private func withStream(_ body: (NATSConnection, NATSStream) throws -> Void) throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("ORDERS")
        _ = try stream.create { $0.storage = .memory }.ended().one()
        try body(bus, stream)
    }

    private func store(_ numbers: some Sequence<Int>, in stream: NATSStream) throws {
        let stored = Observable.from(numbers.map { Order(number: $0) }).store(in: stream, id: \.number)
        try stored.ended().get()
    }

    @Test func `A stream is created, changed, described and deleted`() throws {
        try withStream { bus, stream in
            let changed = try stream.create {
                $0.storage = .memory
                $0.maximumMessages = 7
                $0.subjects = ["ORDERS", "orders.*"]
            }.ended().one()
            #expect(changed.configuration.maximumMessages == 7)
            try store(0..<10, in: stream)
            let info = try stream.info().ended().one()
            #expect(info.state.messages == 7)
            #expect(info.state.firstSequence == 4 && info.state.lastSequence == 10)
            try stream.purge().ended().get()
            let purged = try stream.info().ended().one()
            #expect(purged.state.messages == 0)
            try stream.delete().ended().get()
            guard case .jetStream(let error)? = Recorder(stream.info().asObservable()).failure() else { return #expect(Bool(false)) }
            #expect(error.status == 404)
        }
    }

    @Test func `Each element is acknowledged in order, and one with the same id is stored once`() throws {
        try withStream { _, stream in
            let orders = (1...500).map { Order(number: $0) }
            let stored = try Observable.from(orders).store(in: stream, id: \.number) { $0.maximumInFlight = 16 }
                .ended().get()
            #expect(stored.map(\.sequence) == Array(1...500))
            #expect(!stored.contains { $0.isDuplicate })
            let again = try Observable.from(orders).store(in: stream, id: \.number) { $0.isOnlyPublisher = true }
                .ended().get()
            #expect(again.map(\.sequence) == Array(1...500))
            #expect(again.filter { !$0.isDuplicate }.isEmpty)
            let info = try stream.info().ended().one()
            #expect(info.state.messages == 500)
        }
    }

    @Test(arguments: [Int.min, -1, 0, Int.max - 1, .max])
    func `Any number in flight is allowed: below one it counts as one`(_ maximum: Int) throws {
        try withStream { _, stream in
            let stored = Observable.from((1...5).map { Order(number: $0) }).store(in: stream, id: \.number) {
                $0.maximumInFlight = maximum
                $0.isOnlyPublisher = true
            }
            let sequences = try Recorder(stored.map(\.sequence)).all()
            #expect(sequences == [1, 2, 3, 4, 5])
            let consumed = stream.consume("billing", as: Order.self) { $0.maximumInFlight = maximum }
            let numbers = try Recorder(consumed.do(onNext: { $0.acknowledge() }).map(\.body.number)).first(5)
            #expect(numbers == [1, 2, 3, 4, 5])
        }
    }

    @Test func `What the stream refuses for good fails the publisher`() throws {
        try withStream { _, stream in
            _ = try stream.create {
                $0.storage = .memory
                $0.maximumMessageSize = 10
            }.ended().one()
            let stored = Observable.just(Order(number: 1, item: "a long text")).store(in: stream, id: \.number)
            guard case .jetStream(let error)? = Recorder(stored).failure() else { return #expect(Bool(false)) }
            #expect(error.status == 400)
        }
    }

    @Test func `A consumer delivers every message in order, with its number and time, as it is acknowledged`() throws {
        try withStream { _, stream in
            try store(1...1_000, in: stream)
            let deliveries = Recorder(
                stream.consume("billing", as: Order.self) { $0.maximumInFlight = 10 }.do(onNext: { $0.acknowledge() })
                    .map { ($0.body.number, $0.sequence, $0.deliveries, $0.stored.time) })
            let received = try deliveries.first(1_000)
            #expect(received.map(\.0) == Array(1...1_000))
            #expect(received.map(\.1) == Array(1...1_000))
            let areFresh = received.allSatisfy { $0.2 == 1 && abs($0.3.timeIntervalSinceNow) < 600 }
            #expect(areFresh)
        }
    }

    @Test func `No more is asked for than may be unfinished: the backpressure`() throws {
        try withStream { _, stream in
            try store(1...100, in: stream)
            let unfinished = Lock<[NATSStream.Delivery<Order>]>([])
            let count = BehaviorRelay(value: 0)
            let subscription = stream.consume("slow", as: Order.self) { $0.maximumInFlight = 8 }.subscribe(onNext: { delivery in
                unfinished.withLock { $0.append(delivery) }
                count.update { $0 += 1 }
            })
            defer { subscription.dispose() }
            try count.filter { $0 == 8 }.take(1).ended().get()
            // The server has more, and knows that they are not wanted: a flush comes back behind everything that it would have sent.
            try stream.bus.settle()
            #expect(count.value == 8)
            for delivery in unfinished.withLock({ Array($0.prefix(4)) }) { delivery.acknowledge() }
            try count.filter { $0 == 12 }.take(1).ended().get()
            try stream.bus.settle()
            #expect(count.value == 12)
            unfinished.withLock { $0 = [] }
        }
    }

    @Test func `What is refused is delivered again, what is terminated is not, and what is extended is not either`() throws {
        try withStream { _, stream in
            try store(1...3, in: stream)
            let deliveries = Recorder(
                stream.consume("picky", as: Order.self) { $0.acknowledgementWait = .seconds(60) }.map { delivery -> (Int, Int) in
                    switch (delivery.body.number, delivery.deliveries) {
                    case (1, 1): delivery.refuse()
                    case (2, _): delivery.terminate()
                    default:
                        delivery.extend()
                        delivery.acknowledge()
                    }
                    return (delivery.body.number, delivery.deliveries)
                })
            let received = try deliveries.first(4)
            #expect(received.map(\.0).sorted() == [1, 1, 2, 3])
            #expect(received.map(\.1).max() == 2)
        }
    }

    @Test func `What is not acknowledged in time is delivered again`() throws {
        try withStream { _, stream in
            try store(1...1, in: stream)
            let deliveries = Recorder(
                stream.consume("late", as: Order.self) { $0.acknowledgementWait = .milliseconds(50) }.map { delivery -> Int in
                    if delivery.deliveries == 3 { delivery.acknowledge() }
                    return delivery.deliveries
                })
            let counts = try deliveries.first(3)
            #expect(counts == [1, 2, 3])
        }
    }

    @Test func `A durable consumer continues where it was, also for another subscriber`() throws {
        try withStream { _, stream in
            try store(1...10, in: stream)
            for start in [1, 6] {
                let numbers = try stream.consume("billing", as: Order.self) { $0.maximumInFlight = 1 }
                    .concatMap { delivery in delivery.acknowledgeConfirmed().andThen(Observable.just(delivery.body.number)) }
                    .take(5).ended().get()
                #expect(numbers == Array(start..<start + 5))
            }
        }
    }

    @Test func `A deleted consumer fails its stream`() throws {
        try withStream { _, stream in
            try store(1...1, in: stream)
            let deliveries = Recorder(stream.consume("gone", as: Order.self).do(onNext: { $0.acknowledge() }))
            _ = try deliveries.first(1)
            try stream.deleteConsumer("gone").ended().get()
            guard case .jetStream(let error)? = deliveries.failure() else { return #expect(Bool(false)) }
            #expect(error.status == 409)
        }
    }

    @Test func `A replay begins where it is told to, is in order, and completes at the end or goes on`() throws {
        try withStream { _, stream in
            try store(1...700, in: stream)
            let all = try stream.replay(completesAtEnd: true, as: Order.self).ended().get()
            #expect(all.map(\.body.number) == Array(1...700))
            let part = try stream.replay(from: .sequence(690), completesAtEnd: true).ended().get()
            #expect(part.map(\.sequence) == Array(690...700))
            let last = Recorder(stream.replay(from: .last, as: Order.self).map(\.body.number))
            _ = try last.first(1)
            try store(701...702, in: stream)
            let numbers = try last.first(3)
            #expect(numbers == [700, 701, 702])
            let time = all[600].time
            let later = try stream.replay(from: .time(time), completesAtEnd: true).ended().get()
            let areLater = later.allSatisfy { $0.time >= time.addingTimeInterval(-0.001) }
            #expect(areLater)
            #expect(later.last?.sequence == 702)
            guard case .jetStream(let error)? = Recorder(stream.replay(filter: "nothing")).failure() else { return #expect(Bool(false)) }
            #expect(error.status == 400)
        }
    }

    @Test func `What cannot be decoded is skipped by a replay, and terminated for a consumer, which goes on`() throws {
        try withStream { bus, stream in
            let skipped = Recorder(bus.events.compactMap(\.skippedMessage))
            try store(1...1, in: stream)
            for body in ["{", "", #"{"number": "secret"}"#] { try bus.publish(body, to: "ORDERS") }
            try bus.settle()
            try store(2...2, in: stream)
            let replayed = try stream.replay(completesAtEnd: true, as: Order.self).map(\.body.number).ended().get()
            #expect(replayed == [1, 2])
            // One at a time: nothing follows a message that is not finished.
            let consumed = Recorder(
                stream.consume("billing", as: Order.self) { ($0.maximumInFlight, $0.acknowledgementWait) = (1, .seconds(3_000)) }
                    .do(onNext: { $0.acknowledge() }).map(\.body.number))
            let numbers = try consumed.first(2)
            #expect(numbers == [1, 2])
            let reasons = try skipped.first(6).map(\.error)
            let expected = ["it is not JSON", "it is not JSON", "number is no Int"].map {
                NATSError.undecodable(subject: "ORDERS", reason: $0)
            }
            #expect(reasons == expected + expected)
        }
    }

    @Test func `One stored message is read by its number and by its subject`() throws {
        try withStream { bus, stream in
            try bus.publish("x", to: "ORDERS", headers: ["A": "b"])
            try bus.settle()
            let message = try stream.message(1).ended().one()
            #expect(message.message.text == "x")
            #expect(message.message.headers["A"] == "b")
            let last = try stream.lastMessage("ORDERS").ended().one()
            #expect(last == message)
            guard case .jetStream(let error)? = Recorder(stream.message(2).asObservable()).failure() else { return #expect(Bool(false)) }
            #expect(error.status == 404)
        }
    }

    @Test func `A server that crashes loses nothing that it acknowledged, and consumers go on`() throws {
        let server = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(server.url, configuration: quickly())
        let stream = bus.stream("ORDERS")
        _ = try stream.create().ended().one()
        let deliveries = Recorder(
            stream.consume("billing", as: Order.self) { $0.heartbeat = .milliseconds(200) }.do(onNext: { $0.acknowledge() })
                .map(\.body.number).distinctUntilChanged())
        let replayed = Recorder(stream.replay(as: Order.self).map(\.body.number))
        let numbers = PublishSubject<Int>()
        let stored = Recorder(
            numbers.map { Order(number: $0) }.store(in: stream, id: \.number) {
                $0.isOnlyPublisher = true
                $0.acknowledgementTimeout = .seconds(2)
                $0.retry = .delay(.milliseconds(20), maxAttempts: 1_000)
            })
        for number in 1...500 { numbers.onNext(number) }
        _ = try stored.first(200)
        server.kill()
        for number in 501...1_000 { numbers.onNext(number) }
        try server.start()
        numbers.onCompleted()
        let acknowledged = try stored.all()
        #expect(acknowledged.map(\.sequence) == Array(1...1_000))
        let inOrder = try replayed.first(1_000)
        #expect(inOrder == Array(1...1_000))
        try deliveries.first { $0 == 1_000 }
    }

    @Test(arguments: ["", "a.b", "a b", "*", "a/b"]) func `Names that are none fail before anything is sent`(_ name: String) {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: patiently())
        guard case .invalidName? = Recorder(bus.stream(name).info().asObservable()).failure() else {
            return #expect(Bool(false), "\(name)")
        }
    }

    @Test func `Without JetStream it says so`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: patiently())
        guard case .jetStream(let error)? = Recorder(bus.stream("A").info().asObservable()).failure() else { return #expect(Bool(false)) }
        #expect(error.status == 503)
    }
}
