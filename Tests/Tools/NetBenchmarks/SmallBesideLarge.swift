import Foundation
import NetNodes
import Synchronization

/// How long small requests take, one after another, while the same transport writes a long body into a file.
struct SmallBesideLarge: Sendable {
    private struct Incomplete: Error, LocalizedError {
        let text: String
        var errorDescription: String? { "the download failed: \(text)" }
    }

    /// The length of the file, when it is complete.
    private final class End: Sendable {
        let bytes = Mutex(Result<Int64?, Incomplete>.success(nil))
    }

    let count: Int
    /// In milliseconds: the middle, what one of a hundred exceeds, and the longest.
    let middle: Double
    let slowest: Double
    let longest: Double
    let megabytesPerSecond: Double

    /// Downloads the long body once, and asks for the short one until that has ended.
    static func measure(small: URL, large: URL) throws -> SmallBesideLarge {
        let transport = CurlTransport()
        let file = FileManager.default.temporaryDirectory.appending(path: "NetBenchmarks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let client = ChainClient(url: small, transport: transport)
        try client.run(100, atOnce: 1)
        let end = End()
        let start = ContinuousClock.now
        let download = URLChain(transport: transport).route(.get, large).download(to: file).stream().subscribe(
            onNext: { event in
                if case .finished(let file) = event { end.bytes.withLock { $0 = .success(size(of: file)) } }
            },
            onError: { error in end.bytes.withLock { $0 = .failure(Incomplete(text: error.localizedDescription)) } })
        defer { download.dispose() }
        var times: [Double] = []
        while try end.bytes.withLock({ try $0.get() }) == nil {
            let clock = ContinuousClock.now
            try client.run(1, atOnce: 1)
            times.append((ContinuousClock.now - clock) / .milliseconds(1))
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let bytes = try end.bytes.withLock { try $0.get() } ?? 0
        guard bytes == ServerProcess.largeSize else { throw Incomplete(text: "\(bytes) bytes") }
        times.sort()
        return SmallBesideLarge(
            count: times.count, middle: times[times.count / 2], slowest: times[times.count * 99 / 100], longest: times[times.count - 1],
            megabytesPerSecond: Double(bytes) / 1_000_000 / seconds)
    }

    private static func size(of file: URL) -> Int64 {
        (try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64) ?? 0
    }

    /// The run in the middle of several, by what one request of a hundred exceeds.
    static func measure(rounds: Int, small: URL, large: URL) throws -> SmallBesideLarge {
        try (0..<rounds).map { _ in try measure(small: small, large: large) }.sorted { $0.slowest < $1.slowest }[rounds / 2]
    }
}
