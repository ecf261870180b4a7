import Foundation
import NetNodes
import StreamsTesting
import TestSupport
import Testing

@testable import StreamsSimulator

/// What the client of a simulation sends is what libcurl sends.
@Suite("The bytes of a simulated request", .countsResources, .blocksThread)
struct RequestBytesTests {
    /// The fields that libcurl adds, and a simulation does not.
    private static let added = ["User-Agent", "Accept", "Accept-Encoding"]

    private static let addresses = [
        "http://prices/p", "http://prices:80/p", "http://prices:8080/p", "http://prices:443/p", "http://prices:/p", "http://prices:08080/",
        "http://PRICES/P", "http://[::1]/p", "http://[::1]:80/p", "http://[::1]:8080/p", "http://[fe80::1%25eth0]/p", "http://pri%63es/p",
        "http://user:pass@prices/", "http://user@prices/", "http://user:@prices/", "http://:pass@prices/", "http://user:pass@prices:8080/",
        "http://u%40x:p%3a%C3%A4@prices/", "http://prices", "http://prices?x=1", "http://prices?", "http://prices/?", "http://prices?x#f",
        "http://prices/p#f", "http://prices#f", "http://prices/a%2fb%2Fc?x=%c3%a4", "http://prices/a%20b?c+d=%20", "http://prices//a//b",
        "http://prices/a/../b", "http://prices/a/./b/..", "http://prices/a/b/.", "http://prices/..", "http://prices/../x",
        "http://prices/a/..?q", "http://prices/%2e%2e/b", "http://prices/a;b=c,d?e=f&g[]=h", "http://prices/a/..b/c..",
    ]

    private static let file = URL(filePath: "/etc/hosts")

    private static func requests() throws -> [HTTPRequest] {
        let url = try #require(URL(string: "http://user:pass@prices:81/p?q"))
        let bodies: [HTTPRequest.Body] = [
            .none, .data(Data("abc".utf8)), .data(Data()), .file(file), .pieces([.data(Data("abc".utf8)), .file(file)]), .pieces([]),
        ]
        let headers: [HTTPHeaders] = [
            [:], ["Host": "other:1"], ["host": "other"], ["Authorization": "Bearer token"], ["X-Empty": "", "X": "a", "X": "b"],
            ["Content-Type": "text/plain", "Content-Length": "77"], ["If-None-Match": "\"\u{E4}\"", "X-Name": "\u{E4}"],
            ["Connection": "close", "X": "a", "Host": "other", "Y": "b"],
        ]
        let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options, HTTPRequest.Method(rawValue: "PURGE")]
        return try addresses.map { HTTPRequest(.get, try #require(URL(string: $0), "\($0)")) }
            + headers.map { HTTPRequest(.get, url, headers: $0) } + headers.map { HTTPRequest(.post, url, headers: $0, body: bodies[1]) }
            + methods.flatMap { method in bodies.map { HTTPRequest(method, url, body: $0) } }
    }

    @Test func `Line by line it is the head that libcurl sends, whatever the address, the fields and the body are`() throws {
        let heads = Lock<[String]>([])
        let path = FileManager.default.temporaryDirectory.appending(path: "heads-\(UInt32.random(in: 0 ... .max)).sock").path
        let server = try ScriptedServer(unixSocket: path) { connection in
            guard let head = connection.readHead() else { return }
            heads.withLock { $0.append(head) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { unlink(path) }
        var configuration = CurlTransport.Configuration()
        (configuration.network.unixSocket, configuration.network.omittedHeaders) = (path, Self.added)
        let transport = CurlTransport(configuration)
        for request in try Self.requests() {
            heads.withLock { $0 = [] }
            // A request with a body may be answered before the body has been sent.
            _ = transport.response(to: request).ended()
            let sent = heads.withLock(\.first)
            let real = try #require(sent, "\(request.method) \(request.url) was not sent")
            let simulated = String(decoding: try request.bytes(), as: UTF8.self)
            #expect(simulated.components(separatedBy: "\r\n\r\n")[0] == real, "\(request.method) \(request.url) \(Array(request.headers))")
        }
        withExtendedLifetime(server) {}
    }

    @Test func `Of a request that cannot be sent the error shows no secret`() throws {
        let url = try #require(URL(string: "http://user:hunter2@prices/p;token=hunter3?token=hunter4#hunter5"))
        for length in [nil, 7] as [Int64?] {
            let request = HTTPRequest(.post, url, body: .stream(HTTPRequest.BodyStream(.just(Data("x".utf8)), length: length)))
            let error = #expect(throws: TransportError.self) { try request.bytes() }
            #expect(!"\(try #require(error))".contains("hunter"))
        }
    }
}
