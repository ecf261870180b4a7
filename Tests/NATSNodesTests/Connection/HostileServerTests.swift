import Foundation
import NATSServers
import StreamsTesting
import Testing

@testable import NATSNodes

@Suite("Hostile servers")
struct HostileServerTests {
    private static let info = #"INFO {"server_id":"x","max_payload":1000,"headers":true}"# + "\r\n"

    struct Hostility: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        var afterConnect = ""
        let error: NATSProtocolError
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
            testDescription: "a message before its answer", bytes: info, afterConnect: "MSG a 1 0\r\n\r\n", error: .unexpected("MSG")),
        Hostility(
            testDescription: "a huge message", bytes: info, afterConnect: "PONG\r\nMSG a 1 99999999999\r\n",
            error: .messageTooLong(announced: 99_999_999_999, limit: 64 << 20)),
        Hostility(
            testDescription: "a wrong length", bytes: info, afterConnect: "PONG\r\nMSG a 1 2\r\nabcdef\r\n",
            error: .wrongPayloadLength(announced: 2)),
        Hostility(testDescription: "answers to nothing", bytes: info, afterConnect: "PONG\r\nPONG\r\n", error: .unexpected("PONG")),
    ]

    @Test("Each is a typed error, and nothing hangs", arguments: hostilities)
    func hostile(_ hostility: Hostility) throws {
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

    @Test("Bytes that follow the information before TLS are refused: somebody may have put them there")
    func bytesBeforeTLS() throws {
        try withServer { connection in
            connection.write(#"INFO {"server_id":"x","tls_required":true}"# + "\r\nPI")
        } _: { url in
            #expect(Recorder(NATSConnection(url).messages("b")).failure() == .protocolViolation(.unexpected("bytes before TLS")))
        }
    }

    @Test("A server that sends nothing is an error after the connect timeout")
    func nothing() throws {
        try withServer { _ in
        } _: { url in
            let bus = NATSConnection(url, configuration: quickly { $0.connectTimeout = .milliseconds(30) })
            guard case .cannotConnect? = Recorder(bus.messages("b")).failure() else { return #expect(Bool(false)) }
        }
    }

    @Test("A server that closes at once is an error")
    func closes() throws {
        try withServer { connection in
            connection.write(Self.info)
            connection.reset()
        } _: { url in
            guard case .cannotConnect? = Recorder(NATSConnection(url).messages("b")).failure() else { return #expect(Bool(false)) }
        }
    }

    @Test("Where TLS is asked for, a server without it gets no credentials")
    func noDowngrade() throws {
        let requests = ReplaySubject<String>.createUnbounded()
        try withServer { connection in
            connection.write(Self.info)
            requests.onNext(connection.read(until: "PING\r\n") ?? "nothing")
        } _: { url in
            let bus = NATSConnection(url.replacing("nats://", with: "tls://bob:secret@"))
            guard case .insecure? = Recorder(bus.messages("b")).failure() else { return #expect(Bool(false)) }
            let request = try requests.toBlocking(timeout: patience).first()
            #expect(request == "nothing")
        }
    }
}
