import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import LoopbackServer

/// Descriptor numbers are used again at once here, by connections that begin and end in every way.
@Suite("Connection churn", .countsResources, .stopsServers, .blocksThread)
struct ChurnTests {
    @Test func `Ten thousand short connections with abrupt closes leave a responsive server, and none open`() async throws {
        let server = try running(.get("/") { _ in .text("served") }, .get("/large") { _ in .generated(bytes: 1 << 20) })
        let port = server.port
        let failures = await withTaskGroup(of: [String].self) { group in
            for worker in 0..<4 {
                group.addTask { await onThread { (0..<2_500).compactMap { failure(port, ($0 &* 7 &+ worker) % 6) } } }
            }
            return await group.reduce([], +)
        }
        #expect(failures.prefix(5) == [])
        #expect(try WireClient(port: port).ask("/").text == "served")
        let open = Observable.merge(server.connectionClosed.map { _ in () }, .just(())).map { server.counts.connectionsOpen }
        for try await count in open.values where count == 0 { break }
        #expect(server.counts.connectionsOpen == 0)
    }
}

/// The fault of one visit, if any.
private func failure(_ port: Int, _ kind: Int) -> String? {
    do {
        try visit(port, kind)
        return nil
    } catch {
        return "kind \(kind): \(error)"
    }
}

/// One connection; those that ask for an answer must get it.
private func visit(_ port: Int, _ kind: Int) throws {
    let client = try WireClient(port: port)
    switch kind {
    case 0: client.abort()
    case 1:
        try client.send("GET / HT")
        client.abort()
    case 2:
        try client.request("/")
        client.abort()
    case 3:
        try client.request("/large")
        _ = try client.head()
        client.abort()
    case 4:
        guard try client.ask("/").text == "served" else { throw WireClient.Failure.unreadable("another answer") }
    default:
        guard try client.ask("/", headers: ["Connection: close"]).text == "served" else {
            throw WireClient.Failure.unreadable("another answer")
        }
    }
}

private func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
