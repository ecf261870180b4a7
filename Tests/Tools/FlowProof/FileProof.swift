import Foundation
import SystemSources

/// A file whose lines are handled more slowly than they could be read.
struct FileProof {
    private static let lineSize = 65_536

    private let count: Int
    private let own = ProcessFigures()

    init(gigabytes: Int) {
        count = gigabytes << 30 / Self.lineSize
    }

    func run() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "flow-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try write(to: file)
        // Libraries that are loaded on first use are not counted.
        _ = try await throughStream(file, count: 16)
        let bounded = try await measure("\(count) lines of 64 KB through `mapAsync`") { try await throughStream(file, count: count) }
        let unbounded = try await measure("\(count / 16) of them through AsyncStream") {
            try await throughAsyncStream(file, count: count / 16)
        }
        try Unproven.unless(bounded < 8 << 20, "memory has grown")
        try Unproven.unless(bounded < unbounded, "AsyncStream needs less")
    }

    /// Writes a sparse file. A line begins with its number.
    private func write(to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        for line in 0...count {
            try handle.seek(toOffset: UInt64(max(0, line * Self.lineSize - 1)))
            try handle.write(contentsOf: Data(((line == 0 ? "" : "\n") + (line == count ? "" : "\(line) ")).utf8))
        }
        try handle.close()
    }

    /// Returns by how much the memory has been above that of the idle program.
    private func measure(_ name: String, _ body: () async throws -> Void) async throws -> Int {
        try own.resetPeak()
        let idle = try own.resident
        let start = ContinuousClock.now
        try await body()
        let peak = try own.peak
        print("\(name), in \((ContinuousClock.now - start).formatted(.units(allowed: [.seconds]))):")
        print("  resident memory: \(idle.megabytes) idle, \(peak.megabytes) at most: \((peak - idle).megabytes) more")
        return peak - idle
    }

    /// Handles a line and returns its number.
    private static func handle(_ line: String) async throws -> Int? {
        try await Task.sleep(for: .milliseconds(1))
        return Int(line.prefix { $0 != " " })
    }

    private func throughStream(_ file: URL, count: Int) async throws {
        var expected = 0
        for try await number in Observable.lines(of: file).take(count).mapAsync(Self.handle).values {
            try Unproven.unless(number == expected, "a line is missing")
            expected += 1
        }
        try Unproven.unless(expected == count, "lines are missing")
    }

    private func throughAsyncStream(_ file: URL, count: Int) async throws {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        let subscription = Observable.lines(of: file).take(count).subscribe(
            onNext: { continuation.yield($0) }, onError: { _ in continuation.finish() }, onCompleted: { continuation.finish() })
        var expected = 0
        for await line in lines {
            try Unproven.unless(try await Self.handle(line) == expected, "a line is missing")
            expected += 1
        }
        try Unproven.unless(expected == count, "lines are missing")
        subscription.dispose()
    }
}
