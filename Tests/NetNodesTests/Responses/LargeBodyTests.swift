import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Large bodies", .onOneThread, .countsResources, .stopsServers)
struct LargeBodyTests {
    private struct Item: Decodable, Sendable {
        var id: Int
        var name: String
        var tags: [String]
    }

    @Test(.startsChild) func `A chain that decodes stores one copy of the body besides what JSONDecoder needs`() async {
        await #expect(processExitsWith: .success) {
            let item = #"{"id":1,"name":"one item of the list","tags":["green","black","white tea"]}"#
            let body = Data(("[" + String(repeating: item + ",", count: 149_999) + item + "]").utf8)
            // Twice: the second time, the memory that the first one has freed is there, in pieces.
            for _ in 0..<2 {
                let copy = Data(Array(body))
                let items = try JSONDecoder().decode([Item].self, from: copy).count
                #expect(items == 150_000)
            }
            let alone = peakMemory()
            let transport = StubTransport { request in
                let head = HTTPResponse.Head(status: 200, headers: ["Content-Length": "\(body.count)"], url: request.url)
                let chunks = stride(from: 0, to: body.count, by: 65_536).lazy.map {
                    TransferEvent.chunk(body[$0..<min($0 + 65_536, body.count)])
                }
                return Observable.from([.sent, .head(head)] + Array(chunks) + [.end(HTTPResponse.Metrics())])
            }
            let chain = URLChain(transport: transport).maximumBodySize(.max).route(.get, "http://h/").output([Item].self)
            let count = chain.stream().ended().elements.first?.count
            #expect(count == 150_000)
            #expect(peakMemory() - alone < body.count || isSanitized, "\(peakMemory() - alone)")
        }
    }

    @Test(.startsChild) func `A chain stores at most one copy of the body`() async {
        await #expect(processExitsWith: .success) {
            let count = 50_000_000
            let server = try running(
                .get("/known") { _ in .generated(bytes: count) }, .get("/unknown") { _ in .generated(bytes: count).chunked() })
            defer { server.stop() }
            let chain = URLChain(transport: CurlTransport()).maximumBodySize(.max)
            #expect(chain.route(.get, "\(server.baseURL)/none").response.stream().ended().error == nil)
            let before = peakMemory()
            for path in ["known", "unknown"] {
                let body = chain.route(.get, "\(server.baseURL)/\(path)").data.stream().map(\.count)
                #expect(body.ended().elements == [count])
                #expect(peakMemory() - before < count + 30_000_000 || isSanitized, "\(path)")
            }
        }
    }
}
