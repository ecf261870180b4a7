import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Values of queries that may be shown", .countsResources, .stopsServers, .blocksThread)
struct ShownQueryTests {
    @Test(
        arguments: [
            ("http://h/?page=2&q=x", "http://h/?page=2&q=***"), ("http://h/?page=2&page=3#f", "http://h/?page=2&page=3"),
            ("http://u:SECRET@h/?page=2", "http://h/?page=2"), ("http://h/?token=SECRET", "http://h/?token=***"),
            ("http://h/?page=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "http://h/?page=***"), ("http://h/?page", "http://h/?***"),
            ("http://h/?Page=2", "http://h/?Page=***"), ("http://h/?page=a\u{1B}b", "http://h/?page=a%1Bb"),
        ])
    func `Only the values of allowed names are shown, and no secret`(text: String, shown: String) throws {
        let url = try #require(URL(lenient: text))
        #expect(url.redactedDescription(showing: ["page", "token"]) == shown)
        #expect(redacted(url, showing: ["page", "token"]) == shown)
        #expect(!url.redactedDescription.contains("page=2"))
    }

    @Test func `Logs and errors of a chain show them, and those of another do not`() throws {
        let server = try running(.get("/x") { _ in .empty(500) }, .get("/y") { _ in .redirect(to: "/x?page=3&q=b") })
        let transport = CurlTransport()
        for isShown in [true, false] {
            let lines = Lock("")
            var chain = URLChain(transport: transport).log { log in lines.withLock { $0 += "\(log)" } }
            if isShown { chain = chain.showingQuery(of: "page") }
            let failed = chain.route(.get, "\(server.baseURL)/y?page=2&q=a").void.stream().ended().error
            let shown = "\(lines.withLock { $0 }) \(failed.map { "\($0)" } ?? "")"
            for page in ["page=2", "page=3"] { #expect(shown.contains(page) == isShown) }
            #expect((failed as? HTTPError)?.failure.url == "\(server.baseURL)/x?page=\(isShown ? "3" : "***")&q=***")
            #expect(!shown.contains("q=a") && !shown.contains("q=b"))
            let refused = chain.route(.get, "http://127.0.0.1:1/?page=4").void.stream().ended().error
            #expect(refused.map { "\($0)".contains("page=4") } == isShown)
        }
    }
}
