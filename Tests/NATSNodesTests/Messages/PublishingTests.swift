import Dispatch
import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// A server that accepts a client, and reads nothing more until it is told to.
private final class DeafServer: Sendable {
    private let reading = DispatchSemaphore(value: 0)
    private let received = Lock(0)

    /// How many bytes it has read.
    var bytes: Int { received.withLock { $0 } }

    func read() { reading.signal() }

    func serve(_ connection: LoopbackConnection) {
        connection.acceptPublisher()
        reading.wait()
        reading.signal()
        let ping = Data("PING\r\n".utf8)
        // A ping may be in two pieces.
        var rest = Data()
        while let bytes = connection.read() {
            received.withLock { $0 += bytes.count }
            rest += bytes
            var start = rest.startIndex
            while let found = rest.range(of: ping, in: start..<rest.endIndex) {
                connection.write("PONG\r\n")
                start = found.upperBound
            }
            rest = Data(rest[start...].suffix(ping.count - 1))
        }
    }
}

extension NATSConnection {
    /// Whether the streams that publish are suspended. A synchronous source was suspended at least once when its subscription returns; on
    /// a connection that is never accepted, it stays so.
    fileprivate var isSuspending: Bool { core.shared.withLock { $0.publishing.isSuspended } }
}

extension LoopbackConnection {
    /// Does the server's part of the handshake, and allows messages of 1 MB.
    fileprivate func acceptPublisher() {
        write("INFO {\"server_id\":\"x\",\"max_payload\":1048576}\r\n")
        _ = read(until: "PING\r\n")
        write("PONG\r\n")
    }
}

@Suite("Streams that are published to a server that reads slowly", .countsResources, .blocksThread)
struct PublishingTests {
    private static let limit = 1 << 20

    private func withBus(
        limit: Int = 8 << 20, _ body: (DeafServer, NATSConnection) throws -> Void
    ) throws {
        let server = DeafServer()
        defer { server.read() }
        try withServer {
            server.serve($0)
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.maximumPendingBytes = limit })
            try bus.handshake()
            try body(server, bus)
        }
    }

    /// A connection to a server that says nothing.
    private func withUnansweredBus(_ body: (NATSConnection) throws -> Void) throws {
        try withServer { _ in
        } _: { url in
            try body(NATSConnection(url, configuration: quickly()))
        }
    }

    @Test func `A source is asked for the next element only while less than 1 MB waits, and everything arrives`() throws {
        try withBus { server, bus in
            let most = Lock(0)
            let elements = Observable.range(start: 0, count: 64_000).map { _ in
                most.withLock { $0 = max($0, bus.pendingBytes) }
                return Data(count: 1_000)
            }
            let published = Recorder(elements.publish(to: bus, "a").asObservable())
            server.read()
            _ = try published.all()
            #expect(most.withLock { $0 } < Self.limit)
            #expect(server.bytes > 64_000_000)
        }
    }

    @Test func `Elements that are larger than half of the limit wait for one another`() throws {
        try withBus(limit: 10_000) { server, bus in
            let published = Recorder(
                Observable.range(start: 0, count: 2_000).map { _ in Data(count: 9_990) }.publish(to: bus, "a").asObservable())
            server.read()
            _ = try published.all()
            #expect(server.bytes > 19_980_000)
        }
    }

    @Test func `Sources on several threads share the limit, and each continues`() throws {
        try withBus(limit: 20_000) { server, bus in
            let streams = (0..<8).map { _ in
                Observable.range(start: 0, count: 500).map { _ in Data(count: 4_000) }
                    .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated))
            }
            let merged = Recorder(Observable.merge(streams).publish(to: bus, "a").asObservable())
            let separate = Recorder(Observable.merge(streams.map { $0.publish(to: bus, "b").asObservable() }))
            server.read()
            _ = try (merged.all(), separate.all())
            #expect(server.bytes > 32_000_000)
        }
    }

    @Test func `A source that cannot be suspended fails at the limit, with what fits into it`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: quickly { $0.maximumPendingBytes = 100_000 })
        let elements = PublishSubject<Data>()
        let published = Recorder(elements.publish(to: bus, "a").asObservable())
        // Not subscribed to by anything else, so that nothing has connected yet: the first element begins that, and the loss is later.
        bus.core.shared.withLock { _ = $0.state.begin() }
        for _ in 0..<1_000 { elements.onNext(Data(count: 100)) }
        #expect(published.failure() == .pendingLimit(bytes: 100_000))
        // "PUB a 100", and two line ends.
        let pending = bus.core.shared.withLock { $0.state.pendingMessages }
        #expect(pending == (100_000 - 100) / 113 + 1)
    }

    @Test func `What another publisher fills suspends a stream at once, also behind a boundary of its own`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: quickly { $0.maximumPendingBytes = 100_000 })
        bus.core.shared.withLock { _ = $0.state.begin() }
        let gate = bus.core.publishingGate(in: Lifetime())
        let upstream = gate.boundary()
        try bus.publish(Data(count: 60_000), to: "a")
        #expect(upstream.isClosed)
        gate.dispose()
    }

    @Test func `Disposed while it is suspended, a stream leaves nothing`() throws {
        try withUnansweredBus { bus in
            let published = Recorder(Observable.from(0...).map { _ in Data(count: 1_000) }.publish(to: bus, "a").asObservable())
            #expect(bus.isSuspending)
            published.dispose()
            guard case .several(let gates) = bus.core.shared.withLock({ $0.publishing.resume() }) else { return #expect(Bool(false)) }
            #expect(gates.isEmpty)
        }
    }

    @Test func `A connection that is closed fails a suspended stream, and one that is subscribed to later`() throws {
        try withUnansweredBus { bus in
            let elements = Observable.from(0...).map { _ in Data(count: 1_000) }
            let published = Recorder(elements.publish(to: bus, "a").asObservable())
            #expect(bus.isSuspending)
            bus.close()
            #expect(published.failure() == .closed)
            #expect(Recorder(elements.publish(to: bus, "a").asObservable()).failure() == .closed)
        }
    }

    @Test func `Where no server accepts the connection, an endless stream fails with what was dropped`() throws {
        let bus = NATSConnection("nats://127.0.0.1:1", configuration: quickly())
        let events = Recorder(bus.events)
        let published = Recorder(Observable.from(0...).map { _ in Data(count: 1_000) }.publish(to: bus, "a").asObservable())
        guard case .cannotConnect? = published.failure() else { return #expect(Bool(false)) }
        let event = try events.first { if case .gaveUp(_, unsent: 1...) = $0 { true } else { false } }
        #expect(event != .closed)
    }

    @Test(.startsChild) func `An endless source needs little memory, however slow the server`() async {
        await #expect(processExitsWith: .success) {
            let enough = DispatchSemaphore(value: 0)
            let received = Lock(0)
            let listener = try LoopbackListener { _, connection in
                connection.acceptPublisher()
                while let bytes = connection.read(limit: 16_384) {
                    let count = received.withLock { received in
                        received += bytes.count
                        return received
                    }
                    if count > 64 << 20 { enough.signal() }
                }
            }
            defer { listener.close() }
            let bus = NATSConnection("nats://127.0.0.1:\(listener.port)", configuration: patiently())
            try bus.handshake()
            let before = peakMemory()
            let subscription = Observable.from(0...).map { _ in Data(count: 1_000) }.publish(to: bus, "a")
                .subscribe(on: ConcurrentDispatchQueueScheduler(qos: .userInitiated)).subscribe()
            enough.wait()
            subscription.dispose()
            let growth = peakMemory() - before
            #expect(growth < 24_000_000 || isSanitized, "\(growth)")
        }
    }
}

extension NATSConnection {
    /// Waits until the connection has been accepted.
    fileprivate func handshake() throws {
        let connected = Recorder(events)
        _ = flush().subscribe()
        try connected.first { if case .connected = $0 { true } else { false } }
    }
}

@Suite(
    "Streams that are published to a real server that is stopped", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"),
    .blocksThread)
struct StoppedServerTests {
    private func withStoppedServer(
        _ body: (NATSServer, NATSConnection, Recorder<Int>, Recorder<Never>) throws -> Void
    ) throws {
        // A client that gets little time reads 30 MB in longer than the ten seconds after which a server closes it.
        let server = try NATSServer(.init(configuration: "write_deadline: \"300s\""))
        let bus = NATSConnection(server.url, configuration: quickly())
        let received = Recorder(bus.messages("numbers").map { Int($0.text.prefix(6)) ?? -1 })
        try bus.settle()
        server.signal(SIGSTOP)
        defer { server.signal(SIGCONT) }
        let padding = String(repeating: " ", count: 1_000)
        let numbers = Observable.range(start: 100_000, count: 30_000).map { "\($0)\(padding)" }
        let published = Recorder(numbers.publish(to: bus, "numbers").asObservable())
        try body(server, bus, received, published)
    }

    @Test func `A server that stops and continues receives everything, in order`() throws {
        try withStoppedServer { server, bus, received, published in
            server.signal(SIGCONT)
            _ = try published.all()
            let numbers = try received.first(30_000)
            #expect(numbers == Array(100_000..<130_000))
        }
    }

    @Test func `A server that is killed meanwhile costs what the event of the loss counts, and nothing else`() throws {
        try withStoppedServer { server, bus, received, published in
            let events = Recorder(bus.events)
            server.kill()
            let event = try events.first { if case .disconnected = $0 { true } else { false } }
            guard case .disconnected(_, let unconfirmed) = event else { return }
            #expect(unconfirmed > 0)
            try server.start()
            _ = try published.all()
            let numbers = try received.all(through: 129_999)
            // Of those that may have arrived, some have if the signal took its time.
            let firstConfirmed = 100_000 + unconfirmed
            #expect(numbers.filter { $0 >= firstConfirmed } == Array(firstConfirmed..<130_000))
            #expect(numbers == Array(Set(numbers)).sorted())
        }
    }
}
