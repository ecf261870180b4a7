import Foundation
import Testing

@testable import NATSNodes

@Suite("The state of a connection")
struct ConnectionStateTests {
    private static let first = ServerAddress(host: "a")

    private func makeState(_ servers: [ServerAddress] = [first], pending: Int = 1_000) -> ConnectionState {
        ConnectionState(servers, maximumPendingBytes: pending)
    }

    /// A state that is connected to its first server.
    private func connected(_ servers: [ServerAddress] = [first], pending: Int = 1_000) -> ConnectionState {
        var state = makeState(servers, pending: pending)
        _ = state.begin()
        _ = state.beginAttempt()
        state.receive(NATSConnection.ServerInfo())
        _ = state.didConnect()
        return state
    }

    private func send(_ state: inout ConnectionState) -> String? {
        guard let batch = state.takeBatch() else { return nil }
        state.didSend(in: batch.session)
        return String(decoding: batch.bytes, as: UTF8.self)
    }

    private func publish(_ text: String, _ state: inout ConnectionState) throws {
        try state.publish("s", reply: nil, headers: nil, payload: Data(text.utf8))
    }

    @Test func `What is published before the connection is sent after the subscriptions, in order`() throws {
        var state = makeState()
        try publish("1", &state)
        let id = try state.subscribe(.init(subject: "q.>", queue: nil))
        try publish("2", &state)
        expectEqual(send(&state), nil)
        expectEqual(state.begin(), true)
        expectEqual(state.begin(), false)
        _ = state.beginAttempt()
        expectEqual(state.didConnect(), false)
        expectEqual(send(&state), "SUB q.> \(id)\r\nPUB s 1\r\n1\r\nPUB s 1\r\n2\r\n")
        expectEqual(send(&state), nil)
    }

    @Test func `While a batch is being sent, further commands are pending for the next`() throws {
        var state = connected()
        try publish("1", &state)
        let taken = state.takeBatch()
        let batch = try #require(taken)
        try publish("2", &state)
        expectEqual(send(&state), nil)
        state.didSend(in: batch.session - 1)
        expectEqual(send(&state), nil)
        state.didSend(in: batch.session)
        expectEqual(send(&state), "PUB s 1\r\n2\r\n")
    }

    @Test func `After a loss subscriptions are made again, and what was not handed over follows in order`() throws {
        var state = connected()
        let kept = try state.subscribe(.init(subject: "kept", queue: "g"))
        let gone = try state.subscribe(.init(subject: "gone", queue: nil))
        try publish("sent", &state)
        _ = send(&state)
        state.unsubscribe(gone)
        try publish("1", &state)
        expectEqual(state.didLose(.connectionLost(server: "a", reason: "test")).unconfirmed, 1)
        #expect(state.phase == .reconnecting)
        try publish("2", &state)
        _ = state.beginAttempt()
        expectEqual(state.didConnect(), true)
        expectEqual(send(&state), "SUB kept g \(kept)\r\nUNSUB \(gone)\r\nPUB s 1\r\n1\r\nPUB s 1\r\n2\r\n")
    }

    @Test func `A subscription that was not sent before a loss, and ends before the next connection, ends there too`() throws {
        var state = connected()
        try publish("sent", &state)
        _ = state.takeBatch()
        let job = try state.subscribe(.init(subject: "jobs", queue: "workers"))
        _ = state.didLose(.connectionLost(server: "a", reason: "test"))
        let later = try state.subscribe(.init(subject: "later", queue: nil))
        state.unsubscribe(job)
        state.unsubscribe(later)
        _ = state.beginAttempt()
        _ = state.didConnect()
        expectEqual(send(&state), "SUB jobs workers \(job)\r\nUNSUB \(job)\r\n")
    }

    @Test func `Many messages in a short time are a burst, unless somebody awaits an answer or enough waits for one write`() throws {
        func state(_ messages: Int, _ text: String = "x", pending: Int = 1 << 20) throws -> ConnectionState {
            var state = connected(pending: pending)
            for _ in 0..<messages { try publish(text, &state) }
            return state
        }
        expectEqual(try state(31).isBurst, false)
        var burst = try state(32)
        expectEqual(burst.isBurst, true)
        expectEqual(send(&burst)?.isEmpty, false)
        expectEqual(burst.isBurst, false)
        expectEqual(try state(32, String(repeating: "x", count: 1_024)).isBurst, false)
        expectEqual(try state(32, pending: 1_000).isBurst, false)
        let awaited: [(inout ConnectionState) throws -> Void] = [
            { _ = try $0.flush() }, { try $0.receivePing() }, { _ = try $0.subscribe(.init(subject: "a", queue: nil)) },
            { try $0.publish("s", reply: "r", headers: nil, payload: Data()) },
        ]
        for change in awaited {
            var state = try state(32)
            try change(&state)
            expectEqual(state.isBurst, false)
        }
    }

    @Test func `A flush completes with its answer, and confirms what was published before it`() throws {
        var state = connected()
        try publish("1", &state)
        let id = try state.flush()
        try publish("2", &state)
        _ = send(&state)
        try expectEqual(state.receivePong(), id)
        expectEqual(state.didLose(.closed).unconfirmed, 1)
    }

    @Test func `A flush fails if messages before it may be lost, although it was not sent itself`() throws {
        var state = connected()
        try publish("1", &state)
        _ = state.takeBatch()
        let waiting = try state.flush()
        expectEqual(state.didLose(.closed), ConnectionState.Loss(flushes: [waiting], unconfirmed: 1, sent: 1))
        _ = state.beginAttempt()
        _ = state.didConnect()
        expectEqual(send(&state), "PING\r\n")
        try expectEqual(state.receivePong(), nil)
    }

    @Test func `A loss fails the flushes that were sent, and keeps those that were not`() throws {
        var state = connected()
        let sent = try state.flush()
        _ = send(&state)
        let waiting = try state.flush()
        expectEqual(state.didLose(.closed), ConnectionState.Loss(flushes: [sent], unconfirmed: 0))
        _ = state.beginAttempt()
        _ = state.didConnect()
        expectEqual(send(&state), "PING\r\n")
        try expectEqual(state.receivePong(), waiting)
    }

    @Test func `An answer that nobody asked for is a violation`() throws {
        var state = connected()
        _ = try state.flush()
        #expect(throws: NATSError.ProtocolViolation.unexpected("PONG")) { try state.receivePong() }
    }

    @Test func `The pending bytes are bounded, connected or not, and a message beyond is refused`() throws {
        var state = makeState(pending: 50)
        for _ in 0..<4 { try publish("1", &state) }
        #expect(throws: NATSError.pendingLimit(bytes: 50)) { try publish("123456789", &state) }
        #expect(state.pendingBytes == 48)
    }

    @Test func `Streams are suspended at half of the limit, and one element that is on its way then may exceed it`() throws {
        var state = makeState(pending: 50)
        for isFull in [false, false, true, true] {
            try publish("1", &state)
            #expect(state.isFull == isFull)
        }
        try state.publish("s", reply: nil, headers: nil, payload: Data(count: 50), isUnderway: true)
        #expect(throws: NATSError.pendingLimit(bytes: 50)) {
            try state.publish("s", reply: nil, headers: nil, payload: Data(count: 51), isUnderway: true)
        }
        #expect(state.pendingMessages == 5)
    }

    @Test func `A message larger than the server accepts is refused before it is sent`() throws {
        var state = connected()
        var info = NATSConnection.ServerInfo()
        info.maximumPayload = 4
        state.receive(info)
        #expect(throws: NATSError.messageTooLarge(size: 5, limit: 4)) { try publish("12345", &state) }
        #expect(throws: NATSError.messageTooLarge(size: 5, limit: 4)) {
            try state.publish("s", reply: nil, headers: [1, 2], payload: Data([1, 2, 3]))
        }
        try publish("1234", &state)
    }

    @Test func `Checks of the connection count until they are answered`() throws {
        var state = connected()
        expectEqual(state.checkConnection(), 1)
        expectEqual(state.checkConnection(), 2)
        _ = send(&state)
        try expectEqual(state.receivePong(), nil)
        expectEqual(state.checkConnection(), 2)
    }

    @Test func `Giving up fails everything that waits, and a later use begins anew`() throws {
        var state = makeState()
        _ = state.begin()
        let id = try state.subscribe(.init(subject: "a", queue: nil))
        let flush = try state.flush()
        let (flushes, subscriptions) = state.giveUp()
        #expect(flushes == [flush])
        #expect(subscriptions == [id])
        #expect(state.pendingBytes == 0)
        expectEqual(state.begin(), true)
    }

    @Test func `A closed connection accepts nothing`() {
        var state = connected()
        _ = state.close()
        #expect(throws: NATSError.closed) { try publish("1", &state) }
        #expect(throws: NATSError.closed) { try state.subscribe(.init(subject: "a", queue: nil)) }
        #expect(throws: NATSError.closed) { try state.flush() }
        expectEqual(state.begin(), false)
    }

    @Test func `Draining unsubscribes everything, refuses subscriptions, and still publishes`() throws {
        var state = connected()
        let id = try state.subscribe(.init(subject: "a", queue: nil))
        _ = send(&state)
        expectEqual(state.beginDraining(), [id])
        try publish("1", &state)
        expectEqual(send(&state), "UNSUB \(id)\r\nPUB s 1\r\n1\r\n")
        #expect(throws: NATSError.closed) { try state.subscribe(.init(subject: "b", queue: nil)) }
    }

    @Test func `Without a connection only what was published is waited for`() throws {
        var state = ConnectionState([ServerAddress(host: "a")], maximumPendingBytes: 1_000)
        _ = state.begin()
        _ = state.beginDraining()
        #expect(!state.mustFlush)
        try publish("1", &state)
        #expect(state.mustFlush && state.pendingMessages == 1)
    }

    @Test func `Servers are tried in turn, also those that the cluster tells of, with the credentials of the first`() {
        let given = ServerAddress(host: "a", user: "u", password: "p")
        var pool = ServerPool([given])
        #expect(pool.take() == given)
        pool.discover(["a:4222", "b:1", "[::1]:2", "b:1", "?"], from: given)
        #expect(pool.count == 3)
        #expect((0..<3).map { _ in pool.take().name } == ["a:4222", "b:1", "[::1]:2"])
        #expect(pool.addresses[1].password == "p")
        pool.discover(["c:3"], from: given)
        #expect(pool.addresses.map(\.name) == ["a:4222", "c:3"])
    }
}

/// Compares values that mutating functions return, which the macros cannot call.
private func expectEqual<Value: Equatable>(_ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(actual == expected, sourceLocation: sourceLocation)
}
