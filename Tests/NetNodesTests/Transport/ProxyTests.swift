import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

/// Proxies that the environment names. In processes of their own, because the environment is the whole process's.
@Suite("Proxies", .countsResources, .blocksThread)
struct ProxyTests {
    /// The requests that go through a proxy that the environment names.
    private static func collected(_ url: String, through proxy: String) throws -> Collected {
        for name in ["http_proxy", "https_proxy", "ALL_PROXY"] { setenv(name, proxy, 1) }
        for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
        let limits = HTTPRequest.Timeouts(connect: .seconds(300), idle: .seconds(300))
        return collect(HTTPRequest(.get, try url.url(), timeouts: limits), on: CurlTransport())
    }

    @Test(.startsChild) func `The proxy of the environment is used for other hosts, but never for this machine`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")
            let server = try ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ndirect")
            let here = ["127.0.0.1", "localhost", "LOCALHOST", "a.localhost", "127.1", "2130706433", "0x7f.0.0.1", "0.0.0.0"]
            for host in here {
                #expect(try Self.collected("http://\(host):\(server.port)/", through: "http://127.0.0.1:\(proxy.port)").text == "direct")
            }
            // Not every system has an address for this one.
            #expect(try Self.collected("http://localhost.:\(server.port)/", through: "http://127.0.0.1:\(proxy.port)").text != "proxy")
            let elsewhere = ["example.invalid", "127.example.invalid", "localhost.example.invalid", "127.0.0.1.example.invalid"]
            for host in elsewhere {
                #expect(try Self.collected("http://\(host)/", through: "http://127.0.0.1:\(proxy.port)").text == "proxy")
            }
        }
    }

    @Test func `Loopback hosts are recognized by address or name, and not by prefix`() {
        for host in ["::1", "[::1]", "::", "::ffff:127.0.0.1", "127.255.255.254", "A.LOCALHOST."] { #expect(isLoopback(host), "\(host)") }
        for host in ["::2", "1::1", "::ffff:10.0.0.1", "128.0.0.1", "127.a", "localhos", "xlocalhost", "10.0.0.127", ""] {
            #expect(!isLoopback(host), "\(host)")
        }
        #expect(!isLoopback(nil))
    }

    @Test(
        .startsChild,
        arguments: [
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "it responded with 403"),
            ("HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n", "it responded with 407"),
            ("HTTP/1.1 502 Bad\r\nContent-Length: 100000000\r\n\r\n", "it responded with 502"),
            ("HTTP/1.1 200 O", "it closed the connection"), ("", "it closed the connection"),
        ])
    func `A proxy that lets nothing through is the proxy's failure, and is not asked again`(answer: String, reason: String) async {
        await #expect(processExitsWith: .success) { [answer, reason] in
            let proxy = try ScriptedServer { connection in
                guard connection.readRequest() != nil else { return }
                connection.send(answer)
            }
            let result = try Self.collected("https://example.invalid/", through: "http://bob:SECRET@127.0.0.1:\(proxy.port)")
            #expect(result.error == .proxyFailed(url: "https://example.invalid/", reason: reason))
            #expect(RetryPolicy.isTransient(try #require(result.error)) == false)
        }
    }

    @Test(
        .startsChild,
        arguments: [
            "garbage\r\n\r\n", "HTTP/1.1 200 O", "", "HTTP/1.1 200 OK\r\n\r\nno TLS",
            "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 400_000))\r\n\r\n", "foo://bob:SECRET@127.0.0.1:1",
            "http://bob:SECRET@127.0.0.1:99999", "http://bob:SECRET@", "http://bob:SECRET@nowhere.invalid:1",
            "socks5://bob:SECRET@127.0.0.1:1",
            "SECRET SECRET", "https://bob:SECRET@127.0.0.1:1",
        ])
    func `A proxy that breaks, floods or is none ends the transfer, and no secret of it is told`(answer: String) async {
        await #expect(processExitsWith: .success) { [answer] in
            let proxy = try ScriptedServer { connection in
                guard connection.readRequest() != nil else { return }
                connection.send(answer)
            }
            let name = answer.contains("SECRET") ? answer : "http://bob:SECRET@127.0.0.1:\(proxy.port)"
            for scheme in ["http", "https"] where scheme == "https" || answer.contains("SECRET") {
                let error = try #require(try Self.collected("\(scheme)://example.invalid/", through: name).error)
                #expect(!String(reflecting: error).contains("SECRET"))
                if case .other = error { Issue.record("\(error)") }
            }
        }
    }
}
