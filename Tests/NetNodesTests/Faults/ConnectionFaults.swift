import Foundation
import LoopbackServer
import TestSupport

@testable import NetNodes

extension FaultRow {
    private static let url = "http://HOST/a?key=***"
    private static let person = LoopbackServer.Response.json(text: Person.text)

    /// Before there is an answer.
    static let connecting: [FaultRow] = [
        FaultRow(
            "connection refused", "TechnicalError.cantConnectToHost", "Could not connect to http://HOST/a: Connection refused.",
            again: true
        ) {
            let port = try ReservedPorts.next()
            return $1.route(.get, "http://127.0.0.1:\(port)/a").void.stream()
        },
        FaultRow(
            "connect timeout (here: no handshake)", "TechnicalError.timeout",
            "No connection to https://HOST/ within 200 ms.", again: true
        ) { _, chain in
            let silent = try ScriptedServer { connection in _ = connection.waitForClose() }
            let limited = chain.timeouts(.init(connect: .milliseconds(200)))
            return limited.route(.get, "https://127.0.0.1:\(silent.port)/").void.stream().do(onDispose: { withExtendedLifetime(silent) {} })
        },
        FaultRow(
            "closed during the TLS handshake", "TechnicalError.connectionLost",
            "The connection to https://HOST/ was lost: it was closed during the TLS handshake.", again: true
        ) { _, chain in
            let closing = try ScriptedServer { connection in
                _ = connection.readAvailable()
                connection.sendEnd()
                while connection.readAvailable() != nil {}
            }
            let requests = chain.route(.get, "https://127.0.0.1:\(closing.port)/").void.stream()
            return requests.do(onDispose: { withExtendedLifetime(closing) {} })
        },
        FaultRow(
            "https to a plain http server", "TechnicalError.secureConnectionFailed",
            "No secure connection to https://HOST/: the server does not support TLS."
        ) { server, chain in chain.route(.get, "https://127.0.0.1:\(server.port)/").void.stream() },
    ]

    /// Where the system has a network.
    static let finding: [FaultRow] = [
        FaultRow(
            "unknown host name", "TechnicalError.cantFindHost",
            "The host nowhere.invalid could not be found (http://nowhere.invalid/a?key=***).", again: true
        ) { _, chain in chain.route(.get, "http://nowhere.invalid/a?key=SECRET").void.stream() }
    ]

    /// Where the tests have a server with TLS.
    static let securing: [FaultRow] = [
        FaultRow(
            "certificate of an unknown authority", "TechnicalError.secureConnectionFailed",
            "No secure connection to https://HOST/: the certificate is self-signed."
        ) { _, chain in
            let server = try SecureServer()
            return chain.route(.get, "https://127.0.0.1:\(server.port)/").void.stream()
        },
        FaultRow(
            "certificate for another host", "TechnicalError.secureConnectionFailed",
            "No secure connection to https://HOST/: the certificate is for another host."
        ) { _, _ in
            let server = try SecureServer()
            let chain = URLChain(transport: CurlTransport(trusting: server.certificate.path))
            return chain.route(.get, "https://localhost:\(server.port)/").void.stream()
        },
    ]

    /// The connection breaks or hangs.
    static let breaking: [FaultRow] = [
        FaultRow(
            "connection reset before the response", person.with(.reset(at: .beforeHead)), "TechnicalError.connectionLost",
            "The connection to \(url) was lost: Connection reset by peer.", again: true),
        FaultRow(
            "connection reset in the body", person.with(.throttle(bytes: 5, every: .milliseconds(20))).with(.reset(at: .inBody(after: 10))),
            "TechnicalError.connectionLost", "The connection to \(url) was lost: Connection reset by peer.", again: true),
        FaultRow(
            "closed without a response", person.with(.closeWithoutBytes), "TechnicalError.connectionLost",
            "The connection to \(url) was lost: it was closed without a response.", again: true),
        FaultRow(
            "a POST closed without a response", "TechnicalError.connectionLost",
            "The connection to \(url) was lost: it was closed without a response; the server may have received the request.", again: true
        ) { server, chain in
            server.add(.post("/a") { _ in person.with(.closeWithoutBytes) })
            return chain.route(.post, "\(server.baseURL)/a?key=SECRET").void.stream()
        },
        FaultRow(
            "truncated header", raw: "HTTP/1.1 200 OK\r\nContent-Le", "TechnicalError.connectionLost",
            "The connection to \(url) was lost: it was closed before the header was complete.", again: true),
        FaultRow(
            "idle before the response", person.with(.hang(at: .beforeHead)), "TechnicalError.timeout",
            "\(url) sent nothing for 200 ms.", again: true, { $0.timeouts(.init(idle: .milliseconds(200))) }),
        FaultRow(
            "idle in the body", person.with(.hang(at: .inBody(after: 5))), "TechnicalError.timeout",
            "\(url) sent nothing for 200 ms.", again: true, { $0.timeouts(.init(idle: .milliseconds(200))) }),
        FaultRow(
            "a body slower than the total timeout", person.with(.throttle(bytes: 1, every: .seconds(1))),
            "TechnicalError.timeout", "\(url) did not respond completely within 300 ms.", again: true,
            { $0.timeouts(.init(idle: .seconds(60), total: .milliseconds(300))) }),
        FaultRow(
            "truncated body", person.with(.truncate(after: 4)), "TechnicalError.connectionLost",
            "The response of \(url) ended after 4 bytes: 10 bytes are missing.", again: true),
        FaultRow(
            "truncated chunked body", raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            "TechnicalError.connectionLost", "The response of \(url) ended after 5 bytes: it is truncated.", again: true),
        FaultRow(
            "more bytes announced than sent", person.with(.contentLength(100)), "TechnicalError.connectionLost",
            "The response of \(url) ended after 14 bytes: 86 bytes are missing.", again: true),
        FaultRow(
            "more bytes announced than sent, the connection left open", person.with(.contentLength(100)).with(.hang(at: .afterBody)),
            "TechnicalError.timeout", "\(url) sent nothing for 200 ms.", again: true, { $0.timeouts(.init(idle: .milliseconds(200))) }),
    ]
}
