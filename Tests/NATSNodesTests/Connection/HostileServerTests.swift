import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import NATSNodes

@Suite("Hostile servers", .blocksThread)
struct HostileServerTests {
    struct Hostility: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        var afterConnect = ""
        let error: NATSError.ProtocolViolation
    }

    static let hostilities = [
        Hostility(
            testDescription: "another protocol", bytes: "HTTP/1.1 400 Bad Request\r\n", error: .unknownOperation("HTTP/1.1 400 Bad Request")
        ),
        Hostility(testDescription: "an endless line", bytes: String(repeating: "x", count: 70_000), error: .lineTooLong(limit: 65_536)),
        Hostility(testDescription: "a message first", bytes: "MSG a 1 0\r\n\r\n", error: .unexpected("MSG")),
        Hostility(testDescription: "an answer first", bytes: "PONG\r\n", error: .unexpected("PONG")),
        Hostility(testDescription: "no JSON", bytes: "INFO {{\r\n", error: .malformedInfo(reason: "it does not have the protocol's form")),
        Hostility(
            testDescription: "a message before its answer", bytes: serverInformation(), afterConnect: "MSG a 1 0\r\n\r\n",
            error: .unexpected("MSG")),
        Hostility(
            testDescription: "a huge message", bytes: serverInformation(), afterConnect: "PONG\r\nMSG a 1 99999999999\r\n",
            error: .messageTooLong(announced: 99_999_999_999, limit: 64 << 20)),
        Hostility(
            testDescription: "a wrong length", bytes: serverInformation(), afterConnect: "PONG\r\nMSG a 1 2\r\nabcdef\r\n",
            error: .wrongPayloadLength(announced: 2)),
        Hostility(
            testDescription: "more headers than message", bytes: serverInformation(), afterConnect: "PONG\r\nHMSG b 1 9 5\r\nhello\r\n",
            error: .malformedLine("HMSG b 1 9 5")),
        Hostility(
            testDescription: "a limit of no bytes", bytes: serverInformation(), afterConnect: "PONG\r\nINFO {\"max_payload\":0}\r\n",
            error: .malformedInfo(reason: "the maximum payload is 0")),
        Hostility(
            testDescription: "answers to nothing", bytes: serverInformation(), afterConnect: "PONG\r\nPONG\r\n", error: .unexpected("PONG")),
    ]

    @Test(arguments: hostilities) func `Each is a typed error, and nothing hangs`(_ hostility: Hostility) throws {
        try withServer { connection in
            connection.write(hostility.bytes)
            guard !hostility.afterConnect.isEmpty else { return }
            _ = connection.read(until: "PING\r\n")
            connection.write(hostility.afterConnect)
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.reconnection = .delay(.milliseconds(1), maxAttempts: 2) })
            let received = Recorder(bus.messages("b"))
            #expect(received.failure() == .protocolViolation(hostility.error))
        }
    }

    @Test func `A connection that is refused and accepted at once is refused, and the next use connects again`() throws {
        let connections = Counter()
        try withServer { connection in
            guard connections.increment() == 1 else { return _ = connection.acceptClient() }
            connection.write(serverInformation())
            _ = connection.read(until: "PING\r\n")
            connection.write("-ERR 'Authorization Violation'\r\nPONG\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let events = Recorder(bus.events)
            let refusal = NATSError.unauthorized(server: String(url.dropFirst(7)), reason: "Authorization Violation")
            #expect(Recorder(bus.messages("b")).failure() == refusal)
            let again = Recorder(bus.messages("b"))
            let told = try events.first(2)
            #expect(told.first == .gaveUp(refusal, unsent: 0))
            guard case .connected? = told.last else { return #expect(Bool(false), "\(told)") }
            #expect(connections.value == 2)
            withExtendedLifetime(again) {}
        }
    }

    @Test func `Malformed headers, which any publisher can send, cost a message its headers and not the connection`() throws {
        try withServer { connection in
            connection.write(serverInformation())
            _ = connection.read(until: "PING\r\n")
            connection.write("PONG\r\nHMSG b 1 5 7\r\nhellohi\r\nMSG b 1 1\r\n2\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: patiently())
            let events = Recorder(bus.events)
            let received = try Recorder(bus.messages("b")).first(2)
            #expect(received.map(\.text) == ["hi", "2"] && received[0].headers.isEmpty)
            let error = NATSError.protocolViolation(.malformedHeaders(reason: "they do not begin with NATS/1.0"))
            #expect(try events.first(2).last == .serverError(error))
        }
    }

    @Test func `Bytes that follow the information before TLS are refused: somebody may have put them there`() throws {
        try withServer { connection in
            connection.write(#"INFO {"server_id":"x","tls_required":true}"# + "\r\nPI")
        } _: { url in
            #expect(
                Recorder(NATSConnection(url, configuration: patiently()).messages("b")).failure()
                    == .protocolViolation(.unexpected("bytes before TLS")))
        }
    }

    @Test func `A server that sends nothing is an error after the connect timeout`() throws {
        try withServer { _ in
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.connectTimeout = .milliseconds(30) })
            guard case .cannotConnect? = Recorder(bus.messages("b")).failure() else { return #expect(Bool(false)) }
        }
    }

    @Test
    func `A server that answers byte by byte, and never what is awaited, is an error after the connect timeout, in virtual time`() throws {
        let (turns, sent) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try withServer { connection in
            connection.write(serverInformation())
            _ = connection.read(until: "PING\r\n")
            var bytes: [UInt8] = []
            repeat {
                if bytes.isEmpty { bytes = Array("+OK\r\n".utf8) }
                sent.signal()
                turns.wait()
            } while connection.write([bytes.removeFirst()])
        } _: { url in
            // Whatever happens, the server's thread ends with its connection.
            defer { for _ in 0..<10 { turns.signal() } }
            let scheduler = TestScheduler()
            let configuration = quickly {
                $0.scheduler = scheduler
                $0.connectTimeout = .seconds(10)
            }
            let bus = NATSConnection(url, configuration: configuration)
            let hasEnded = Lock(false)
            let received = Recorder(bus.messages("b").do(onError: { _ in hasEnded.withLock { $0 = true } }))
            sent.wait()
            while !hasEnded.withLock({ $0 }) {
                turns.signal()
                scheduler.advance(by: .seconds(1))
                _ = sent.wait(timeout: .now() + .milliseconds(10))
            }
            let reason = "it has not accepted the connection within 10.0 seconds"
            #expect(received.failure() == .cannotConnect(servers: [String(url.dropFirst(7))], reason: reason))
        }
    }

    @Test func `A server that closes at once is an error`() throws {
        try withServer { connection in
            connection.write(serverInformation())
            connection.reset()
        } _: { url in
            guard case .cannotConnect? = Recorder(NATSConnection(url, configuration: patiently()).messages("b")).failure() else {
                return #expect(Bool(false))
            }
        }
    }

    @Test func `A limit that the server lowers applies from then on, and one that it raises too`() throws {
        try withServer { connection in
            connection.acceptClient()
            for limit in [10, 20] {
                _ = connection.read(until: "PING\r\n")
                connection.write("INFO {\"max_payload\":\(limit)}\r\nPONG\r\n")
            }
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let limits = try [10, 20].map { limit in
                try bus.settle()
                #expect(throws: NATSError.messageTooLarge(size: limit + 1, limit: limit)) {
                    try bus.publish(Data(count: limit + 1), to: "a")
                }
                return bus.serverInfo?.maximumPayload
            }
            #expect(limits == [10, 20])
            bus.close()
        }
    }

    @Test func `A storm of errors, and of answers that nobody asked for, ends no stream and hides no message`() throws {
        try withServer { connection in
            connection.acceptClient()
            for round in 0..<100 {
                connection.write(
                    String(repeating: "-ERR 'Permissions Violation for Publish to \"x\"'\r\n-ERR 'Invalid Subject'\r\n", count: 50))
                connection.write(String(repeating: "MSG _INBOX.none.\(round) 1 1\r\nx\r\nMSG b 99 1\r\nx\r\n+OK\r\n", count: 50))
            }
            connection.write("MSG b 1 3\r\nend\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let received = Recorder(bus.messages("b"))
            try received.first { $0.text == "end" }
            bus.close()
        }
    }

    @Test func `A server that has closed its half of a connection is left, and what is published then reaches the next`() throws {
        let attempts = Lock(0)
        let received = ReplaySubject<String>.createUnbounded()
        try withServer { connection in
            let attempt = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            connection.acceptClient()
            if attempt == 1 { return connection.closeSending() }
            received.onNext(connection.read(until: "hello\r\n") ?? "")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly())
            let events = Recorder(bus.events)
            let subscription = Recorder(bus.messages("b"))
            try events.first { if case .reconnected = $0 { true } else { false } }
            try bus.publish("hello", to: "a")
            let text = try received.take(1).ended().get().first
            #expect(text?.hasSuffix("PUB a 5\r\nhello\r\n") == true)
            subscription.dispose()
            bus.close()
        }
    }

    @Test func `A server that asks again and again without reading the answers is a violation, not a full memory`() throws {
        try withServer { connection in
            connection.acceptClient()
            let pings = Array(String(repeating: "PING\r\n", count: 10_000).utf8)
            while connection.write(pings) {}
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.reconnection = .delay(.milliseconds(1), maxAttempts: 1) })
            let events = Recorder(bus.events)
            let received = Recorder(bus.messages("b"))
            try events.first { if case .disconnected(.protocolViolation(.unexpected("PING")), _) = $0 { true } else { false } }
            received.dispose()
            bus.close()
        }
    }

    @Test func `Half a message and then silence is a lost connection, and its bytes are no part of the next`() throws {
        let attempts = Lock(0)
        try withServer { connection in
            let isFirst = attempts.withLock { attempts in
                attempts += 1
                return attempts == 1
            }
            connection.acceptClient()
            connection.write(isFirst ? "MSG b 1 10\r\nabc" : "MSG b 1 3\r\ndef\r\n")
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.pingInterval = .milliseconds(50) })
            let events = Recorder(bus.events)
            let received = Recorder(bus.messages("b"))
            #expect(try received.first(1).map(\.text) == ["def"])
            let lost = try events.first { if case .disconnected = $0 { true } else { false } }
            #expect(lost == .disconnected(.connectionLost(server: String(url.dropFirst(7)), reason: "it does not answer"), unconfirmed: 0))
            received.dispose()
            bus.close()
        }
    }

    @Test func `A server that tells of thousands of servers has some of them tried, and the given one kept`() {
        let given = ServerAddress(host: "given")
        var pool = ServerPool([given])
        pool.discover((0..<16_000).map { "h\($0):1" }, from: given)
        #expect(pool.count == 1 + ServerPool.maximumDiscovered)
        #expect(pool.addresses.first == given)
        pool.discover(Array(repeating: "h:1", count: 16_000), from: given)
        #expect(pool.addresses.map(\.name) == ["given:4222", "h:1"])
    }

    @Test(arguments: [true, false], [true, false])
    func `A server that quotes the secret it was given has it in no error and no event`(isEstablished: Bool, isInFile: Bool) throws {
        let file = try TemporaryFile()
        try file.write(CredentialsFileTests.text("hunter2-secret"))
        try withServer { connection in
            connection.write(serverInformation())
            let request = connection.read(until: "PING\r\n") ?? ""
            if isEstablished { connection.write("PONG\r\n") }
            #expect(request.contains("hunter2-secret"))
            connection.write("-ERR 'Invalid hunter2-secret'\r\n")
            connection.write("-ERR 'Permissions Violation for hunter2-secret'\r\nhunter2-secret?\r\n")
        } _: { url in
            let configuration = quickly {
                $0.credentials = isInFile ? .file(file.url) : .user("bob", password: "hunter2-secret")
                $0.reconnection = .delay(.milliseconds(1), maxAttempts: 1)
            }
            let bus = NATSConnection(url, configuration: configuration)
            let events = Recorder(bus.events)
            let error = Recorder(bus.messages("b")).failure()
            bus.close()
            var dumped = "\(String(describing: error))"
            for event in try events.all() { dump(event, to: &dumped) }
            #expect(dumped.contains("***"))
            #expect(!dumped.contains("hunter2"))
        }
    }

    @Test func `Where TLS is asked for, a server without it gets no credentials`() throws {
        let requests = ReplaySubject<String>.createUnbounded()
        try withServer { connection in
            connection.write(serverInformation())
            requests.onNext(connection.read(until: "PING\r\n") ?? "nothing")
        } _: { url in
            let patient = quickly { $0.connectTimeout = patience }
            let bus = NATSConnection(url.replacing("nats://", with: "tls://bob:secret@"), configuration: patient)
            guard case .insecure? = Recorder(bus.messages("b")).failure() else { return #expect(Bool(false)) }
            let request = try requests.take(1).ended().get().first
            #expect(request == "nothing")
        }
    }
}
