import Foundation
import LoopbackServer
import NetNodes

/// Reads a response of a gigabyte slowly, and prints what the server has sent, what was consumed, and the memory above that of the idle
/// program, which contains the server.
func proveResponse(megabytesASecond: Double = 2, seconds: Double = 5) async throws {
    // Each connection ends with its response, and tells then how much was sent.
    @Sendable func response(_ bytes: Int) -> LoopbackServer.Response { .generated(bytes: bytes).header("Connection", "close") }
    let server = LoopbackServer(
        .get("/small") { _ in response(1_000_000) }, .get("/large") { _ in response(1_000_000_000) },
        .get("/medium") { _ in response(200_000_000) })
    try server.start()
    defer { server.stop() }
    let transport = CurlTransport()
    let reader = SlowReader(transport: transport, server: server, rate: megabytesASecond * 1_000_000, duration: .seconds(seconds))
    print("Responses read at \(megabytesASecond) MB a second for \(seconds) s, in MB\n")
    print("response  consumer                              sent  consumed  between  memory  highest")
    try await reader.read("small", "all of it, to warm up") { $0.values(overflow: .suspend(capacity: 4)) }
    try await reader.read("large", "values(overflow: .suspend(capacity: 4))") { $0.values(overflow: .suspend(capacity: 4)) }
    try await reader.read("large", "values") { $0.values }
    try await reader.read("medium", "AsyncStream") { source in
        AsyncThrowingStream { continuation in
            let subscription = source.subscribe(
                onNext: { continuation.yield($0) }, onError: { continuation.finish(throwing: $0) },
                onCompleted: { continuation.finish() })
            continuation.onTermination = { _ in subscription.dispose() }
        }
    }
}

private struct SlowReader: Sendable {
    let transport: CurlTransport
    let server: LoopbackServer
    /// In bytes a second.
    let rate: Double
    let duration: Duration

    func read(
        _ path: String, _ consumer: String, _ values: (Observable<TransferEvent>) -> some AsyncSequence<TransferEvent, any Error>
    ) async throws {
        let idle = residentBytes()
        let response = transport.transfer(HTTPRequest(.get, server.baseURL.appending(path: path)))
        var (consumed, highest) = (0.0, idle)
        let sent: Task<Int, any Error>
        do {
            let closed = server.connectionClosed
            sent = Task {
                for try await connection in closed.values { return connection.bytesSent }
                return 0
            }
            let start = ContinuousClock.now
            for try await event in values(response) {
                guard case .chunk(let data) = event else { continue }
                consumed += Double(data.count)
                highest = max(highest, residentBytes())
                try await Task.sleep(until: start + .seconds(consumed / rate))
                guard ContinuousClock.now - start < duration else { break }
            }
        }
        let memory = residentBytes()
        let count = Double(try await sent.value)
        if consumer.hasPrefix("values") {
            // 256 elements wait, unless the policy says otherwise: chunks of 64 KB.
            try Unproven.unless(highest - idle < 2 * 256 * 64 * 1024, "\(consumer) has taken \((highest - idle) / 1_000_000) MB")
        }
        let numbers = [count, consumed, count - consumed, Double(memory - idle), Double(highest - idle)].map {
            String(format: "%8.1f", $0 / 1e6)
        }
        print(
            path.padding(toLength: 10, withPad: " ", startingAt: 0) + consumer.padding(toLength: 42, withPad: " ", startingAt: 0)
                + numbers.joined(separator: " "))
    }
}

/// The resident memory of this process.
private func residentBytes() -> Int {
    let statistics = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = statistics.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(getpagesize())
}
