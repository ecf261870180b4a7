import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

@testable import NetNodes

@Suite("Compressed bodies that are delivered while they are received", .countsResources, .stopsServers, .blocksThread)
struct CompressedBodyTests {
    /// Compresses as much of zeros.
    private static func zeros(_ length: Int) throws -> Data {
        let directory = TemporaryDirectory()
        let file = try directory.file("zeros", Data())
        guard truncate(file.path, off_t(length)) == 0, try ForeignProgram.run("/bin/gzip", ["-n", file.path]) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
        return try Data(contentsOf: file.appendingPathExtension("gz"))
    }

    private static func server(_ body: Data, coding: String = "gzip") throws -> LoopbackServer {
        try running(.get("/a") { _ in LoopbackServer.Response.data(body, type: "text/plain").header("Content-Encoding", coding) })
    }

    private static func request(_ server: LoopbackServer) throws -> HTTPRequest { HTTPRequest(.get, try server.baseURL + "a") }

    @Test(.startsChild) func `80 MB out of 80 KB are delivered to a slow subscriber, and need little memory`() async {
        await #expect(processExitsWith: .success) {
            let length = 80_000_000
            let server = try CompressedBodyTests.server(CompressedBodyTests.zeros(length))
            defer { server.stop() }
            let request = try CompressedBodyTests.request(server)
            let transport = CurlTransport()
            _ = transport.transfer(request).take(2).ended()
            let before = peakMemory()
            let count = Lock(0)
            let slow = SuspendingSubscriber.suspendedAlways(
                to: transport.transfer(request).map { event in
                    if case .chunk(let data) = event { count.withLock { $0 += data.count } }
                })
            #expect(slow.completes() == true)
            #expect(count.withLock { $0 } == length)
            #expect(slow.mostAtOnce == 1)
            #expect(peakMemory() - before < 16_000_000 || isSanitized, "\(peakMemory() - before)")
        }
    }

    @Test func `What is too long ends where the limit is reached`() throws {
        var request = try Self.request(Self.server(Self.zeros(10_000_000)))
        request.limits.maximumBodySize = 1_000_000
        let result = collect(request, on: CurlTransport())
        #expect(result.error == .bodyTooLarge(limit: 1_000_000, url: request.url.absoluteString))
        #expect(result.body.count <= 1_000_000)
    }

    @Test func `Two compressed files, one behind the other, are one body`() throws {
        let result = collect(try Self.request(Self.server(Self.zeros(300_000) + Self.zeros(200_000))), on: CurlTransport())
        #expect(result.error == nil)
        #expect(result.body == Data(count: 500_000))
    }

    @Test func `What is compressed as it was not asked for, is damaged or ends too early cannot be decoded`() throws {
        let (whole, damaged) = (try Self.zeros(300_000), "it is damaged")
        let cases: [(body: Data, coding: String, reason: String)] = [
            (whole, "br", "it is encoded with \"br\", which was not asked for"),
            (whole, "gzip, br", "it is encoded with \"gzip, br\", which was not asked for"),
            (whole.prefix(200), "gzip", damaged),
            (whole + Data("more".utf8), "x-gzip", damaged),
            (Data("text".utf8), "gzip", damaged),
        ]
        for one in cases {
            let request = try Self.request(Self.server(one.body, coding: one.coding))
            let result = collect(request, on: CurlTransport())
            #expect(result.error == .undecodableBody(url: request.url.absoluteString, reason: one.reason))
        }
    }

    @Test(arguments: ["identity", "gzip"]) func `A response without a body need not be compressed`(coding: String) throws {
        let server = try running(.any("/a") { _ in LoopbackServer.Response.empty(200).header("Content-Encoding", coding) })
        for method in [HTTPRequest.Method.get, .head] {
            #expect(collect(HTTPRequest(method, try server.baseURL + "a"), on: CurlTransport()).error == nil)
        }
    }
}
