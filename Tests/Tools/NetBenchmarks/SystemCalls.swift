import Foundation

/// How many calls of the system a request takes, one after another: the difference of two runs in processes of their own, counted by strace.
struct SystemCalls: Sendable {
    private struct NoCount: Error, LocalizedError {
        var errorDescription: String? { "strace did not count" }
    }

    let client: String
    let perRequest: Double

    /// The counts of clients; none where strace is not installed.
    static func count(_ clients: [any Client], at url: URL) throws -> [SystemCalls] {
        let strace = URL(filePath: "/usr/bin/strace")
        guard FileManager.default.isExecutableFile(atPath: strace.path) else { return [] }
        return try clients.map { client in
            let (fewer, more) = (500, 1_500)
            let difference = try run(strace, client, more, url) - run(strace, client, fewer, url)
            return SystemCalls(client: client.name, perRequest: Double(difference) / Double(more - fewer))
        }
    }

    private static func run(_ strace: URL, _ client: any Client, _ count: Int, _ url: URL) throws -> Int {
        let file = FileManager.default.temporaryDirectory.appending(path: "NetBenchmarks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = strace
        process.arguments =
            ["-f", "-c", "-o", file.path, CommandLine.arguments[0]]
            + ["--count", "\(count)", "--only", client.name, "--server", url.absoluteString]
        try process.run()
        process.waitUntilExit()
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let total = lines.last { $0.hasSuffix(" total") }?.split(separator: " ") ?? []
        guard process.terminationStatus == 0, total.count > 3, let calls = Int(total[3]) else { throw NoCount() }
        return calls
    }
}
