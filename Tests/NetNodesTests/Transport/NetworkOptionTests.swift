import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

/// How servers are reached, by code.
@Suite("Network options of a transport", .countsResources, .stopsServers, .blocksThread)
struct NetworkOptionTests {
    private static func transport(_ set: (inout CurlTransport.Configuration) -> Void) -> CurlTransport {
        var configuration = CurlTransport.Configuration()
        set(&configuration)
        return CurlTransport(configuration)
    }

    private static func text(_ url: String, _ set: (inout CurlTransport.Network) -> Void) throws -> String {
        collect(HTTPRequest(.get, try url.url()), on: transport { set(&$0.network) }).text
    }

    @Test(.enabled(if: ForeignServer.Kind.nginx.isInstalled, "nginx is missing"))
    func `Requests are sent to a Unix socket, and their host is a header`() throws {
        let directory = TemporaryDirectory()
        let path = directory.url.appending(path: "socket").path
        let nginx = try Nginx(
            in: directory.url, listening: "",
            http: "server { listen unix:\(path); location / { return 200 \"$remote_addr $http_host $request_uri\"; } }", server: "")
        defer { nginx.stop() }
        let transport = Self.transport { $0.network.unixSocket = path }
        for _ in 0..<2 {
            #expect(collect(HTTPRequest(.get, try "http://docker/info?a=b".url()), on: transport).text == "unix: docker /info?a=b")
        }
        let many = Observable.merge((0..<50).map { transport.response(to: HTTPRequest(.get, URL(string: "http://docker/\($0)")!)) })
        #expect(Set(many.ended().elements.map { String(decoding: $0.body, as: UTF8.self) }).count == 50)
        let missing = Self.transport { $0.network.unixSocket = "\(path)-missing" }
        let error = collect(HTTPRequest(.get, try "http://docker/".url()), on: missing).error
        #expect(error?.kind == "TransportError.cannotConnect")
    }

    @Test(arguments: ["http://docker/", "https://docker/"])
    func `A path that no Unix socket can have is an error that names it and the limit`(url: String) throws {
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        let long = "/" + String(repeating: "a", count: limit)
        let rows = [
            ("", "the path of the Unix socket is empty"), ("/a\0b", "the path of the Unix socket contains a NUL: /a\\0b"),
            (long, "the path of the Unix socket has \(limit + 1) bytes, and the limit is \(limit): \(long)"),
            (String(long.dropLast()), "No such file or directory"),
        ]
        for (path, reason) in rows {
            let transport = Self.transport { $0.network.unixSocket = path }
            let error = TransportError.cannotConnect(url: url, reason: reason)
            #expect(collect(HTTPRequest(.get, try url.url()), on: transport).error == error)
            #expect(transport.response(to: HTTPRequest(.post, try url.url())).ended().error as? TransportError == error)
        }
    }

    @Test func `A proxy by code is used with its credentials, for this machine too`() throws {
        let request = Slot<Connection.Request>()
        let proxy = try ScriptedServer.answering { connection, received in
            request.fill(received)
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
        }
        let server = CurlTransport.Network.Proxy.server(url: "http://127.0.0.1:\(proxy.port)", user: "a:b", password: "S@CRET")
        #expect(try Self.text("http://localhost:1/a") { $0.proxy = server } == "proxy")
        #expect(request.wait()?.line == "GET http://localhost:1/a HTTP/1.1")
        #expect(request.wait()?.headers["proxy-authorization"] == "Basic " + Data("a:b:S@CRET".utf8).base64EncodedString())
        #expect("\(server)" == "http://127.0.0.1:\(proxy.port)")
        #expect(!String(reflecting: server).contains("CRET"))
        #expect(!"\(CurlTransport.Network.Proxy.server(url: "http://u:SECRET@h"))".contains("SECRET"))
    }

    @Test(arguments: ["http", "socks5h"])
    func `A proxy that accepts no connection is named, not the server behind it`(scheme: String) throws {
        let port = try LoopbackServer.unusedPort()
        let transport = Self.transport { $0.network.proxy = .server(url: "\(scheme)://127.0.0.1:\(port)", user: "a", password: "SECRET") }
        for url in ["http://name.invalid/", "https://name.invalid/"] {
            let error = try #require(collect(HTTPRequest(.get, try url.url()), on: transport).error)
            #expect(error == .cannotConnect(url: url, reason: "no connection to the proxy 127.0.0.1:\(port) (Connection refused)"))
            #expect(RetryPolicy.isTransient(error))
        }
    }

    @Test func `A SOCKS proxy resolves the name`() throws {
        let target = Slot<[UInt8]>()
        let proxy = try ScriptedServer { connection in
            guard connection.readAvailable()?.first == 5 else { return }
            connection.send([5, 0])
            target.fill(connection.readAvailable() ?? [])
            connection.send([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            guard connection.readRequest() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsocks")
        }
        #expect(try Self.text("http://name.invalid/") { $0.proxy = .server(url: "socks5h://127.0.0.1:\(proxy.port)") } == "socks")
        #expect(target.wait() == [5, 1, 0, 3, 12] + Array("name.invalid".utf8) + [0, 80])
    }

    @Test(.startsChild) func `Without a proxy that of the environment is not used`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect")
            let addresses = [CurlTransport.Network.HostAddresses(host: "a.invalid", port: Int(server.port), addresses: ["127.0.0.1"])]
            let url = "http://a.invalid:\(server.port)/"
            #expect(try NetworkOptionTests.text(url) { $0.addresses = addresses } == "proxy")
            #expect(
                try NetworkOptionTests.text(url) {
                    $0.addresses = addresses
                    $0.proxy = .none
                } == "direct")
        }
    }

    @Test func `A name has the addresses that it is given`() throws {
        let server = try ScriptedServer.answering { connection, request in
            let host = request.headers["host"] ?? ""
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(host.utf8.count)\r\n\r\n\(host)")
        }
        let port = Int(server.port)
        let text = try Self.text("http://name.invalid:\(port)/") {
            $0.addresses = [CurlTransport.Network.HostAddresses(host: "name.invalid", port: port, addresses: ["127.0.0.1", "::1"])]
        }
        #expect(text == "name.invalid:\(port)")
        let hosts = CurlTransport.Network.HostAddresses(host: "h", port: 80, addresses: ["127.0.0.1", "::1"])
        #expect(hosts.text == "h:80:127.0.0.1,[::1]")
    }

    @Test(.enabled(if: ForeignServer.Kind.nginx.isInstalled, "nginx is missing"))
    func `Connections come from the local address that was chosen`() throws {
        let directory = TemporaryDirectory()
        let nginx = try Nginx(in: directory.url, listening: "", server: "location / { return 200 $remote_addr; }")
        defer { nginx.stop() }
        let url = "http://127.0.0.1:\(nginx.port)/"
        #expect(try Self.text(url) { $0.localAddress = "127.0.0.2" } == "127.0.0.2")
        let error = collect(
            HTTPRequest(.get, try url.url()), on: Self.transport { $0.network.localAddress = "192.0.2.1" }
        ).error
        #expect(error?.kind == "TransportError.cannotConnect")
    }

    @Test(.enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"))
    func `HTTP/2 over TLS is not used where it was excluded`() throws {
        let server = try SecureNginx()
        defer { server.stop() }
        let names = try [CurlTransport.Network.HTTPVersion.negotiated, .http1].map { version in
            let transport = Self.transport {
                $0.tls.certificateAuthorities = .file(server.certificate.path)
                $0.network.httpVersion = version
            }
            return collect(HTTPRequest(.get, try "\(server.base)/person.json".url()), on: transport).metrics?.protocolName
        }
        #expect(names == ["HTTP/2", "HTTP/1.1"])
    }

    /// The limit is in whole seconds of the system's clock.
    @Test func `A connection that was idle for longer than allowed is not used again`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let limits: [(inout CurlTransport.Configuration) -> Void] = [
            { $0.maximumIdleTime = .seconds(1) }, { $0.maximumConnectionAge = .seconds(1) }, { _ in },
        ]
        let transports = limits.map { Self.transport($0) }
        func areReused() -> [Bool?] { transports.map { collect(HTTPRequest(.get, server.url()), on: $0).metrics?.reusedConnection } }
        #expect(areReused() == [false, false, false])
        _ = Slot<Bool>().wait(2.1)
        #expect(areReused() == [false, false, true])
    }

    @Test func `A connection carries no more requests than allowed`() throws {
        let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        func reuses(_ limit: Int?) -> [Bool?] {
            let transport = Self.transport { $0.maximumRequestsPerConnection = limit }
            return (0..<7).map { _ in collect(HTTPRequest(.get, server.url()), on: transport).metrics?.reusedConnection }
        }
        #expect(reuses(1) == [false, false, false, false, false, false, false])
        #expect(reuses(3) == [false, true, true, false, true, true, false])
        #expect(reuses(nil) == [false, true, true, true, true, true, true])
    }

    @Test(.enabled(if: SecureNginx.isAvailable, "nginx, openssl or python3 is missing"))
    func `A connection of HTTP/2 carries no more requests than allowed`() throws {
        let server = try SecureNginx()
        defer { server.stop() }
        let transport = Self.transport {
            $0.tls.certificateAuthorities = .file(server.certificate.path)
            $0.maximumRequestsPerConnection = 2
        }
        let metrics = try (0..<4).map { _ in collect(HTTPRequest(.get, try "\(server.base)/person.json".url()), on: transport).metrics }
        #expect(metrics.map(\.?.reusedConnection) == [false, true, false, true])
        #expect(metrics.map(\.?.protocolName) == Array(repeating: "HTTP/2", count: 4))
    }
}
