import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("Recording", .countsResources, .stopsServers, .blocksThread)
struct RecordingTests {
    @Test func `Requests and connections are available as streams and as lists`() throws {
        let server = try running(.any("/*") { _ in .empty() })
        let paths = Lock<[String]>([])
        let opened = Lock<[Int]>([])
        let subscriptions = [
            server.requests.subscribe(onNext: { request in paths.withLock { $0.append(request.path) } }),
            server.connectionOpened.subscribe(onNext: { connection in opened.withLock { $0.append(connection) } }),
        ]
        let client = try WireClient(port: server.port)
        _ = try client.ask("/one")
        _ = try client.ask("/two", method: "POST", headers: ["X-Id: 7"], body: "text")
        #expect(paths.withLock { $0 } == ["/one", "/two"])
        #expect(opened.withLock { $0 } == [1])
        let last = try #require(server.recordedRequests.last)
        #expect(last.method == "POST")
        #expect(last.headers["x-id"] == "7")
        #expect(last.text == "text")
        #expect(last.connection == 1)
        #expect(last.number == 2)
        server.forgetRequests()
        #expect(server.recordedRequests.isEmpty)
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `The oldest requests are removed first, by number and by size`() {
        var limits = LoopbackServer.Limits()
        limits.recordedRequests = 3
        limits.recordedBytes = 10_000
        let recorder = Recorder(limits: limits)
        for size in [1, 1, 1, 1, 9_000] { recorder.record(bodyBytes: size) }
        #expect(recorder.requests.map(\.number) == [4, 5])
        #expect(recorder.counts.requests == 5)
        for _ in 0..<1_000 { recorder.record(bodyBytes: 0) }
        #expect(recorder.requests.map(\.number) == [1_003, 1_004, 1_005])
    }
}

extension Recorder {
    fileprivate func record(bodyBytes: Int) {
        var parser = RequestParser()
        parser.append(Array("POST / HTTP/1.0\r\nContent-Length: \(bodyBytes)\r\n\r\n".utf8) + [UInt8](repeating: 0, count: bodyBytes))
        guard case .request(let request) = parser.next() else { return }
        _ = record(request, connection: 1)
    }
}
