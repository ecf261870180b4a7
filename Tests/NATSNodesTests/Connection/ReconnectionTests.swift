import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

/// A configuration whose limits a busy machine keeps.
func patiently(_ change: (inout NATSConnection.Configuration) -> Void = { _ in }) -> NATSConnection.Configuration {
    var configuration = NATSConnection.Configuration()
    (configuration.connectTimeout, configuration.requestTimeout) = (patience, patience)
    change(&configuration)
    return configuration
}

/// A configuration that waits little between attempts.
func quickly(_ change: (inout NATSConnection.Configuration) -> Void = { _ in }) -> NATSConnection.Configuration {
    var configuration = patiently()
    configuration.reconnection = .delay(.milliseconds(20), maxAttempts: .max)
    change(&configuration)
    return configuration
}

@Suite("Reconnecting to a real server", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct ReconnectionTests {
    @Test func `After a server's crash subscriptions are made again, and what was published meanwhile is sent in order`() throws {
        let server = try NATSServer()
        let (bus, other) = (NATSConnection(server.url, configuration: quickly()), NATSConnection(server.url, configuration: quickly()))
        let events = Recorder(bus.events)
        let received = Recorder(bus.messages("a", as: Int.self))
        try bus.settle()
        try bus.publish(0, to: "a")
        _ = try received.first(1)
        server.kill()
        try events.first { if case .disconnected(.connectionLost, 1) = $0 { true } else { false } }
        for number in 1...100 { try bus.publish(number, to: "a") }
        try server.start()
        try events.first { if case .reconnected = $0 { true } else { false } }
        #expect(try received.first(101).map(\.body) == Array(0...100))
        try other.publish(101, to: "a")
        #expect(try received.first(102).last?.body == 101)
    }

    @Test func `Suspended it is not connected, and resumed its subscriptions are made again and what was published is sent`() throws {
        let server = try NATSServer()
        let (bus, other) = (NATSConnection(server.url, configuration: quickly()), NATSConnection(server.url, configuration: quickly()))
        let events = Recorder(bus.events)
        let received = Recorder(bus.messages("a", as: Int.self).map(\.body))
        let replies = Recorder(other.messages("b", as: Int.self).map(\.body))
        try bus.settle()
        try other.settle()
        bus.suspend()
        let lost = NATSError.connectionLost(server: "127.0.0.1:\(server.port)", reason: "this program has suspended it")
        try events.first { $0 == .disconnected(lost, unconfirmed: 0) }
        for number in 1...3 { try bus.publish(number, to: "b") }
        // Nobody is subscribed.
        try other.publish(0, to: "a")
        try other.settle()
        bus.resume()
        let sent = try replies.first(3)
        #expect(sent == [1, 2, 3])
        try other.publish(1, to: "a")
        let first = try received.first(1)
        #expect(first == [1])
    }

    @Test func `Suspended before its first use it does not look for a server`() throws {
        let port = try ReservedPorts.next()
        let bus = NATSConnection("nats://127.0.0.1:\(port)", configuration: quickly())
        bus.suspend()
        let received = Recorder(bus.messages("a", as: Int.self).map(\.body))
        // An attempt would have failed, and the stream with it.
        let server = try NATSServer(.init(port: port))
        bus.reconnect()
        #expect(bus.serverInfo == nil)
        bus.resume()
        try bus.settle()
        try bus.publish(1, to: "a")
        let first = try received.first(1)
        #expect(first == [1])
        withExtendedLifetime(server) {}
    }

    @Test func `Told to connect again it replaces its connection, with credentials of this moment, and streams go on`() throws {
        let server = try NATSServer(.init(configuration: "authorization { token: s3cr3t }"))
        let asked = Lock(0)
        let bus = NATSConnection(
            server.url,
            configuration: quickly {
                $0.credentials = .refreshed {
                    asked.withLock { $0 += 1 }
                    return .just(.token("s3cr3t"))
                }
            })
        let events = Recorder(bus.events)
        let received = Recorder(bus.messages("a", as: Int.self).map(\.body))
        for count in 1...3 {
            try bus.settle()
            try bus.publish(count, to: "a")
            _ = try received.first(count)
            bus.reconnect()
        }
        try bus.settle()
        let kinds = try events.first(7).map { event in
            switch event {
            case .connected: "connected"
            case .disconnected: "disconnected"
            case .reconnected: "reconnected"
            default: "\(event)"
            }
        }
        #expect(kinds == ["connected"] + Array(repeating: ["disconnected", "reconnected"], count: 3).joined())
        #expect(asked.withLock { $0 } == 4)
    }

    @Test func `A flush whose answer was lost fails, and one that waits for the connection completes`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: quickly())
        let events = Recorder(bus.events)
        try bus.settle()
        server.kill()
        try events.first { if case .disconnected = $0 { true } else { false } }
        let flush = Recorder(bus.flush().asObservable().map { _ in })
        try server.start()
        #expect(try flush.all().isEmpty)
    }

    @Test func `Connections that are cut at any byte deliver only whole messages, in order, and go on`() throws {
        let server = try NATSServer()
        // INFO alone has some 400 bytes; every connection gets a little further than the one before.
        let proxy = try CuttingProxy(to: server.port) { number in number < 25 ? 380 + number * 9 : nil }
        defer { proxy.close() }
        let bus = NATSConnection(proxy.url, configuration: quickly { $0.reconnection = .delay(.milliseconds(1), maxAttempts: .max) })
        let direct = NATSConnection(server.url, configuration: patiently())
        let events = Recorder(bus.events)
        let received = Recorder(
            bus.messages("numbers", as: Int.self).retry(.delay(.milliseconds(1), maxAttempts: 1_000)).map(\.body))
        let clock = Observable<Int>.interval(.milliseconds(1), scheduler: ConcurrentDispatchQueueScheduler(qos: .userInitiated))
        let sent = clock.publish(to: direct, "numbers").subscribe()
        defer { sent.dispose() }
        try events.first { if case .reconnected = $0 { true } else { false } }
        // Once nothing is cut any more, a thousand follow one another without a gap.
        let numbers = try received.first(1_500)
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        let last = Array(numbers.suffix(200))
        #expect(last == Array(last[0]...(last[0] + 199)))
    }

    @Test func `A server in lame duck mode is left for another of its cluster`() throws {
        let cluster = try NATSCluster(size: 2, hasJetStream: false)
        defer { cluster.kill() }
        let first = cluster.servers[0]
        let bus = NATSConnection(cluster.url, configuration: quickly())
        let other = NATSConnection(cluster.servers[1].url, configuration: quickly())
        let events = Recorder(bus.events)
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        first.signal(SIGUSR2)
        try events.first { if case .lameDuck = $0 { true } else { false } }
        try events.first { if case .reconnected = $0 { true } else { false } }
        #expect(bus.serverInfo?.serverName == "s2")
        try bus.settle()
        try other.publish("x", to: "a")
        #expect(try received.first(1).map(\.text) == ["x"])
    }

    @Test func `When the policy makes no further attempt, streams fail with the servers that were tried`() throws {
        let server = try NATSServer()
        let bus = NATSConnection(server.url, configuration: quickly { $0.reconnection = .delay(.milliseconds(1), maxAttempts: 3) })
        let received = Recorder(bus.messages("a"))
        try bus.settle()
        server.kill()
        guard case .cannotConnect(let servers, _)? = received.failure() else { return #expect(Bool(false)) }
        #expect(servers == ["127.0.0.1:\(server.port)"])
    }

    @Test func `A server that does not answer is a lost connection`() throws {
        try withServer { connection in
            connection.acceptClient()
        } _: { url in
            let configuration = quickly {
                $0.pingInterval = .milliseconds(10)
                $0.reconnection = .delay(.zero, maxAttempts: 1)
            }
            let bus = NATSConnection(url, configuration: configuration)
            let events = Recorder(bus.events)
            let received = Recorder(bus.messages("a"))
            let event = try events.first { if case .disconnected = $0 { true } else { false } }
            let name = "127.0.0.1:\(url.split(separator: ":").last ?? "")"
            #expect(event == .disconnected(.connectionLost(server: name, reason: "it does not answer"), unconfirmed: 0))
            received.dispose()
        }
    }
}
