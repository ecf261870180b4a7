import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes
@testable import SocketNodes

/// Every fault goes through a whole chain against a real socket, and Docs/Errors.md states the resulting error: the page cannot drift.
@Suite("The table of faults", .countsResources, .stopsServers, .blocksThread)
struct FaultTableTests {
    static let rows =
        FaultRow.connecting + FaultRow.finding + FaultRow.securing + FaultRow.breaking + FaultRow.malformed + FaultRow.unreadable
        + FaultRow.streaming + FaultRow.refusals + FaultRow.unsendable + FaultRow.endings

    /// Without a server that speaks TLS two rows cannot be shown, and one without a network.
    static let shownRows = rows.filter { row in
        !FaultRow.securing.contains { !SecureServer.isAvailable && $0.fault == row.fault }
            && !FaultRow.finding.contains { !SystemNetwork.hasRoute && $0.fault == row.fault }
    }

    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/Errors.md")

    @Test(arguments: shownRows)
    func `Each fault leads to its typed error, in time, with its message and without secrets`(row: FaultRow) throws {
        let server = try running()
        let chain = URLChain(transport: CurlTransport()).headers(["Authorization": "Bearer SECRET", "Cookie": "SECRET"])
        let result = try row.request(server, chain).ended()
        #expect(!result.isLate)
        #expect(result.elements.isEmpty)
        let error = try #require(result.error)
        #expect(error.kind == row.error)
        #expect(error.pageSentence == row.sentence)
        #expect(RetryPolicy.isTransient(error) == row.isWorthRepeating)
        for text in [error.localizedDescription, "\(error)", String(reflecting: error)] { #expect(!text.contains("SECRET")) }
    }

    @Test func `The page has every row, and no other`() throws {
        let sections = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n## The errors of a request\n")
        let lines = try #require(sections.dropFirst().first).split(separator: "\n").map(String.init)
        let table = lines.filter { $0.hasPrefix("| ") && $0.contains(" | `") }
        for row in Self.rows { #expect(table.contains(row.line), "Docs/Errors.md lacks: \(row.line)") }
        #expect(Set(table).subtracting(Self.rows.map(\.line)).isEmpty)
    }

    @Test(
        arguments: [
            ("close-delimited", LoopbackServer.Response.json(text: Person.text).with(.noContentLength)),
            ("dripping", .json(text: Person.text).with(.throttle(bytes: 2, every: .milliseconds(10)))),
            ("in chunks", .json(text: Person.text).chunked()),
            ("late", .json(text: Person.text).with(.delay(.milliseconds(100)))),
            ("kept and closed", .json(text: Person.text).with(.close(at: .afterBody))),
        ])
    func `Other responses succeed`(name: String, response: LoopbackServer.Response) throws {
        let server = try running(.get("/a") { _ in response })
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "a").output(Person.self)
        for _ in 0..<2 { #expect(chain.stream().ended().elements == [Person(name: "Bob")]) }
    }

    @Test(arguments: [LoopbackServer.Response.empty(204), .text(""), .empty(304)])
    func `No content is empty JSON, no bytes, and success`(response: LoopbackServer.Response) throws {
        let server = try running(.get("/a") { _ in response })
        let chain = URLChain(transport: CurlTransport()).route(.get, try server.baseURL + "a")
        #expect(chain.output(JSON.self).stream().ended().elements == [.empty])
        #expect(chain.data.stream().ended().elements == [Data()])
        #expect(chain.void.stream().ended().elements.count == 1)
        #expect(chain.output([Person].self).stream().ended().elements == [[]])
        #expect(chain.output(Person?.self).stream().ended().elements == [nil])
    }
}
