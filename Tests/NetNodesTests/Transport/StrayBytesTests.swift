import Foundation
import StreamsTesting
import Synchronization
import Testing

@testable import NetNodes

/// Bytes that a server sends on an idle connection must never be taken for the answer to the next request on it.
@Suite("Bytes on an idle connection", .countsResources, .stopsServers, .blocksThread)
struct StrayBytesTests {
    /// Bytes that arrive on the connection while no request is in flight.
    enum Stray: String, CaseIterable {
        case answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        case timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil"
        case interim = "HTTP/1.1 100 Continue\r\n\r\n"
        case byte = "H"
        case end = ""

        func send(on connection: Connection) {
            if self == .end { connection.sendEnd() } else { connection.send(rawValue) }
            #expect(connection.waitForArrival())
        }
    }

    private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
    private let transport = CurlTransport()

    @Test(arguments: Stray.allCases, [HTTPRequest.Method.get, .post])
    func `Bytes after a response are not the next response`(stray: Stray, method: HTTPRequest.Method) throws {
        for round in 1...10 {
            let (isAnswered, hasArrived) = (Slot<Bool>(), Slot<Bool>())
            let (received, reused) = (Counter(), Counter())
            let server = try ScriptedServer { connection in
                var isFirst = true
                while let request = connection.readRequest() {
                    if !isFirst { reused.increment() }
                    isFirst = false
                    if request.line.contains("/second") { received.increment() }
                    connection.send(Self.good)
                    guard request.line.contains("/first") else { continue }
                    _ = isAnswered.wait()
                    stray.send(on: connection)
                    hasArrived.fill(true)
                }
            }
            #expect(transport.response(to: HTTPRequest(.get, server.url("/first"))).ended().error == nil)
            isAnswered.fill(true)
            #expect(hasArrived.wait() == true)
            let second = transport.response(to: HTTPRequest(method, server.url("/second"), body: body(for: method))).ended()
            #expect(second.elements.first?.body == Data("good".utf8), "round \(round): \(second)")
            #expect(received.value == 1)
            #expect(reused.value == 0)
        }
    }

    @Test func `They are not the response to a request sent immediately from the observer of the previous response`() throws {
        let hasArrived = Slot<Bool>()
        let isAnswered = Slot<Bool>()
        let server = try ScriptedServer.answering { connection, request in
            connection.send(Self.good)
            guard request.line.contains("/first") else { return }
            _ = isAnswered.wait()
            Stray.answer.send(on: connection)
            hasArrived.fill(true)
        }
        let transport = transport
        // On the engine's thread, which looks at no socket meanwhile.
        let both = transport.response(to: HTTPRequest(.get, server.url("/first"))).flatMap { _ in
            isAnswered.fill(true)
            _ = hasArrived.wait()
            return transport.response(to: HTTPRequest(.get, server.url("/second")))
        }
        #expect(both.ended().elements.first?.body == Data("good".utf8))
    }

    @Test(arguments: Stray.allCases) func `Nor over a Unix socket, whose connections have no ports`(stray: Stray) throws {
        let directory = TemporaryDirectory()
        let path = directory.url.appending(path: "socket").path
        let (isAnswered, hasArrived) = (Slot<Bool>(), Slot<Bool>())
        let server = try ScriptedServer(unixSocket: path) { connection in
            while let request = connection.readRequest() {
                connection.send(Self.good)
                guard request.line.contains("/first") else { continue }
                _ = isAnswered.wait()
                // What is sent to a Unix socket has arrived.
                if stray == .end { connection.sendEnd() } else { connection.send(stray.rawValue) }
                hasArrived.fill(true)
            }
        }
        var configuration = CurlTransport.Configuration()
        configuration.network.unixSocket = path
        let transport = CurlTransport(configuration)
        #expect(collect(HTTPRequest(.get, try "http://docker/first".url()), on: transport).text == "good")
        isAnswered.fill(true)
        #expect(hasArrived.wait() == true)
        // Of another host, at the same socket.
        for url in ["http://other/second", "http://docker/second", "http://docker/third", "http://other/third"] {
            #expect(collect(HTTPRequest(.post, try url.url()), on: transport).text == "good")
        }
        #expect(server.connectionCount == 3)
    }

    @Test func `An idle connection without input is reused`() throws {
        let server = try ScriptedServer.answering(Self.good)
        for _ in 1...20 { #expect(transport.response(to: HTTPRequest(.get, server.url())).ended().error == nil) }
        #expect(server.connectionCount == 1)
    }

    @Test(arguments: Stray.allCases) func `Any number of connections may have unexpected input`(stray: Stray) throws {
        let count = 12
        let (arrivals, answers) = (Counter(), Counter())
        let (areAllAsked, areAllAnswered, haveAllArrived) = (Slot<Bool>(), Slot<Bool>(), Slot<Bool>())
        let asked = Counter()
        let server = try ScriptedServer.answering { connection, request in
            guard request.line.contains("/first") else { return connection.send(Self.good) }
            asked.increment()
            if asked.value == count { areAllAsked.fill(true) }
            _ = areAllAsked.wait()
            connection.send(Self.good)
            _ = areAllAnswered.wait()
            stray.send(on: connection)
            arrivals.increment()
            if arrivals.value == count { haveAllArrived.fill(true) }
        }
        var configuration = CurlTransport.Configuration()
        configuration.connectionsPerHost = count
        let transport = CurlTransport(configuration)
        let request = HTTPRequest(.get, server.url("/first"))
        let first = Observable.merge((0..<count).map { _ in transport.response(to: request) }).do(onNext: { _ in answers.increment() })
        #expect(first.ended().error == nil)
        #expect(answers.value == count)
        areAllAnswered.fill(true)
        #expect(haveAllArrived.wait() == true)
        for _ in 0..<count {
            let next = transport.response(to: HTTPRequest(.post, server.url("/second"), body: .data(Data("x".utf8)))).ended()
            #expect(next.elements.first?.body == Data("good".utf8), "\(next)")
        }
        #expect(server.connectionCount == count + 1)
    }

    @Test func `A body from a file is sent completely on the other connection`() throws {
        let directory = TemporaryDirectory()
        let file = try directory.file("body", Data(String(repeating: "x", count: 100_000).utf8))
        let (isAnswered, hasArrived, body) = (Slot<Bool>(), Slot<Bool>(), Slot<String>())
        let server = try ScriptedServer.answering { connection, request in
            connection.send(Self.good)
            guard request.line.contains("/first") else { return body.fill(request.body) }
            _ = isAnswered.wait()
            Stray.answer.send(on: connection)
            hasArrived.fill(true)
        }
        #expect(transport.response(to: HTTPRequest(.get, server.url("/first"))).ended().error == nil)
        isAnswered.fill(true)
        #expect(hasArrived.wait() == true)
        let upload = transport.response(to: HTTPRequest(.put, server.url("/second"), body: .file(file))).ended()
        #expect(upload.elements.first?.body == Data("good".utf8))
        #expect(body.wait()?.count == 100_000)
    }

    @Test(.enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"), arguments: [Stray.answer, .timeout, .byte])
    func `Over TLS as well, in a record of its own`(stray: Stray) throws {
        let server = try SecureServer(script: SecureServer.answering(Self.good, then: stray.rawValue, second: Self.good))
        let transport = CurlTransport(trusting: server.certificate.path)
        for round in 1...5 {
            let first = collect(HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/first".url()), on: transport)
            #expect(first.error == nil)
            let second = collect(HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/second".url()), on: transport)
            #expect(second.text == "good", "round \(round): \(second)")
            #expect(second.metrics?.reusedConnection == false)
        }
    }

    @Test(.enabled(if: SecureServer.isAvailable, "openssl or python3 is missing"))
    func `A connection over TLS on which nothing came is used again`() throws {
        let server = try SecureServer(script: SecureServer.answering(Self.good, then: "", second: Self.good))
        let transport = CurlTransport(trusting: server.certificate.path)
        let reused = try (1...5).map { _ in
            collect(HTTPRequest(.get, try "https://127.0.0.1:\(server.port)/first".url()), on: transport).metrics?.reusedConnection
        }
        #expect(reused == [false, true, true, true, true])
    }

    private func body(for method: HTTPRequest.Method) -> HTTPRequest.Body {
        method == .post ? .data(Data("x".utf8)) : .none
    }
}
