import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// Through whole chains: what must not leave, must not go elsewhere, and must not be shown.
@Suite("Secrets and injection", .countsResources, .stopsServers, .blocksThread)
struct SecretTests {
    private let chain = URLChain(transport: CurlTransport())

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect to another origin drops secret headers, one to the same origin keeps them`(status: Int) throws {
        let other = try running(.any("/end") { _ in .text("end") })
        let target = "\(other.baseURL)/end"
        let server = try running(
            .any("/away") { _ in .redirect(to: target, status: status) }, .any("/around") { _ in .redirect(to: "/end", status: status) },
            .any("/end") { _ in .text("end") })
        let secrets: HTTPHeaders = [
            "Authorization": "Bearer SECRET", "Cookie": "id=SECRET", "Proxy-Authorization": "SECRET", "X-Auth-Token": "SECRET",
            "X-Api-Key": "SECRET", "Accept-Language": "eo",
        ]
        for path in ["away", "around"] {
            #expect(chain.headers(secrets).route(.get, try server.baseURL + path).void.stream().ended().elements.count == 1)
        }
        let away = try #require(other.recordedRequests.first)
        #expect(!"\(away.headers)".contains("SECRET"))
        #expect(away.headers["Accept-Language"] == "eo")
        let around = try #require(server.recordedRequests.last)
        #expect(around.path == "/end")
        #expect(around.headers["Authorization"] == "Bearer SECRET")
        #expect(around.headers["X-Auth-Token"] == "SECRET")
    }

    @Test func `Another scheme, host or port is another origin, another path or case is not`() throws {
        let request = HTTPRequest(.get, try "http://example.com/a".url(), headers: ["Authorization": "SECRET"])
        func keepsSecret(_ location: String) throws -> Bool {
            try Redirect.next(after: request, status: 302, headers: ["Location": location], count: 0)?.headers["Authorization"] != nil
        }
        for same in ["/b", "b", "//example.com/b", "http://EXAMPLE.com/b", "http://example.com:80/b"] { #expect(try keepsSecret(same)) }
        for other in [
            "https://example.com/b", "http://example.org/b", "http://example.com:81/b", "//example.org/b", "http://example.com.evil.org/",
            "http://example.com@evil.org/",
        ] {
            #expect(try !keepsSecret(other), "\(other)")
        }
    }

    @Test func `A line break cannot inject a header or a request, wherever it occurs`() throws {
        let server = try running(.any("/*") { _ in .text("ok") })
        let base = server.baseURL.absoluteString
        let evil = "1\r\nX-Evil: 2\r\n\r\nGET /evil HTTP/1.1\r\n\r\n"
        let metadata = chain.metadata(["X-A": evil]).route(.get, "\(base)/a").void.stream().ended()
        #expect((metadata.error as? TransportError)?.kind == "TransportError.invalidHeader")
        let provided = chain.headers(["X-A": evil]).route(.get, "\(base)/a").void.stream().ended()
        #expect((provided.error as? TransportError)?.kind == "TransportError.invalidHeader")
        _ = chain.route(.get, "\(base)/a/\(evil)").void.stream().ended()
        #expect(chain.query(["q": JSON(evil)]).route(.get, "\(base)/a").void.stream().ended().elements.count == 1)
        #expect(server.recordedRequests.allSatisfy { $0.headers["X-Evil"] == nil && !$0.path.hasPrefix("/evil") })
        #expect(server.counts.malformedRequests == 0)
        #expect(server.recordedRequests.last?.query("q") == evil)
    }

    @Test func `Cookies, bodies and locations of a server reveal no secret and no control sequence`() throws {
        let server = try running(
            .get("/set") { _ in .text("no", status: 404).header("Set-Cookie", "id=SECRET").header("X-Token", "SECRET") },
            .get("/loop") { _ in .redirect(to: "http://bob:SECRET@127.0.0.1:1/a?key=SECRET") },
            .get("/file") { _ in .redirect(to: "file://bob:SECRET@host/a?key=SECRET") },
            .get("/codes") { _ in .text("\u{1B}[2J\u{9B}31m\u{7F}", status: 500) })
        for path in ["set", "loop", "file", "codes"] {
            let url = "http://eve:SECRET@127.0.0.1:\(server.port)/\(path)?password=SECRET#SECRET"
            let error = try #require(chain.route(.get, url).void.stream().ended().error)
            for text in [error.localizedDescription, "\(error)", String(reflecting: error)] {
                #expect(!text.contains("SECRET"), "\(text)")
                #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(text.debugDescription)")
            }
        }
    }
}
