import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Large bodies", .countsResources, .stopsServers)
struct LargeBodyTests {
    private struct Item: Codable, Sendable {
        var id: Int
        var name: String
        var tags: [String]
    }

    /// In a process of its own, where nothing else takes the processor.
    @Test func `The chain decodes 20 MB of JSON in at most 1.1 times the CPU time of JSONDecoder alone`() async {
        await #expect(processExitsWith: .success) {
            let items = (0..<240_000).map { Item(id: $0, name: "item number \($0) of the list", tags: ["green", "black", "white tea"]) }
            let body = try JSONEncoder().encode(items)
            #expect(body.count > 20_000_000)
            let transport = StubTransport { request in
                let head = HTTPResponseHead(status: 200, headers: ["Content-Length": "\(body.count)"], url: request.url)
                let chunks = stride(from: 0, to: body.count, by: 65_536).lazy.map {
                    TransferEvent.chunk(body[$0..<min($0 + 65_536, body.count)])
                }
                return Observable.from([.sent, .head(head)] + Array(chunks) + [.end(TransferMetrics())])
            }
            let chain = URLChain(transport: transport).route(.get, "http://h/").output([Item].self)
            // The best of some rounds: what runs beside it on the machine takes a part of the caches.
            var (alone, chained) = (Double.infinity, Double.infinity)
            for round in 0..<8 where round < 2 || chained >= 1.1 * alone {
                alone = min(
                    alone,
                    try processorTime {
                        let count = try JSONDecoder().decode([Item].self, from: body).count
                        #expect(count == items.count)
                    })
                chained = min(
                    chained,
                    processorTime {
                        let count = chain.stream().ended().elements.first?.count
                        #expect(count == items.count)
                    })
            }
            #expect(chained < 1.1 * alone || isSanitized, "\(chained / alone)")
        }
    }

    @Test func `a chain stores at most one copy of the body`() async {
        await #expect(processExitsWith: .success) {
            let count = 150_000_000
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

/// The seconds that this thread has worked for an action.
private func processorTime(_ action: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try action()
    return now() - start
}
