import Foundation
import StreamsSimulator
import StreamsTesting
import SystemSources
import Testing

/// The same programs on the disk of the system and on that of a simulation.
@Suite("The disk of a simulation beside that of the system", .countsResources)
struct DiskComparisonTests {
    /// A program that takes a disk and a folder, and says what it sees.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (any Disk, URL) async throws -> [String]
    }

    private static func data(_ text: String) -> Data { Data(text.utf8) }

    private static let scenarios = [
        Scenario(testDescription: "what is missing is an error") { disk, folder in
            let missing = folder.appending(path: "missing", directoryHint: .notDirectory)
            return await [
                told { try await disk.read(missing).value },
                told { try await disk.size(of: missing).value },
                told { try await disk.rename(missing, to: folder.appending(path: "new")).value },
                told { try await disk.remove(missing).value },
                told { for try await _ in Observable.lines(of: missing, on: disk).values {} },
            ]
        },
        Scenario(testDescription: "a file is written at its end, read, moved and removed") { disk, folder in
            let (file, moved) = (folder.appending(path: "file"), folder.appending(path: "moved"))
            let opened = try await disk.open(file).value
            try await opened.append(data("one\n")).value
            try await opened.append(data("two")).value
            try await opened.flush().value
            var seen = [String(decoding: try await disk.read(file).value, as: UTF8.self), "\(opened.initialSize) \(opened.hasItsName)"]
            let again = try await disk.open(file).value
            seen.append("\(again.initialSize) \(try await disk.size(of: file).value)")
            try await disk.rename(file, to: moved).value
            try await disk.flush(namesIn: folder).value
            seen.append("\(again.hasItsName)")
            try await opened.append(data("three")).value
            seen.append(String(decoding: try await disk.read(moved).value, as: UTF8.self))
            let created = await told { try await disk.create(moved, for: file).value }
            try await disk.remove(moved).value
            return seen + [created, await told { try await disk.read(moved).value }]
        },
        Scenario(testDescription: "a stream is appended, and rotated") { disk, folder in
            let log = folder.appending(path: "log")
            for _ in 0..<2 {
                let lines = Observable.from(["one", "two", "three", "four"])
                try await lines.write(appendingTo: log, rotation: FileRotation(size: 8, keeping: 9), on: disk).value
            }
            var seen: [String] = []
            for name in ["log", "log.1", "log.2", "log.3", "log.4"] {
                let file = folder.appending(path: name)
                var lines: [String] = []
                let end = await told { for try await line in Observable.lines(of: file, on: disk).values { lines.append(line) } }
                seen += lines + [end]
            }
            return seen
        },
        Scenario(testDescription: "a stream replaces a file when it completes, and not when it fails") { disk, folder in
            let file = folder.appending(path: "state")
            let failing = Observable.just("half").concat(Observable.error(TestError("broken")))
            var seen = await [told { try await failing.write(replacing: file, on: disk).value }, told { try await disk.read(file).value }]
            for text in ["old", "new"] { try await Observable.just(text).write(replacing: file, on: disk).value }
            seen.append(String(decoding: try await disk.read(file).value, as: UTF8.self))
            return seen
        },
        Scenario(testDescription: "lines and pieces of a large file") { disk, folder in
            let file = folder.appending(path: "large")
            let lines = (0..<20_000).map { "line \($0)" }
            try await Observable.from(lines).write(appendingTo: file, on: disk).value
            var (read, counts) = ([String](), [Int]())
            for try await line in Observable.lines(of: file, on: disk).values { read.append(line) }
            for try await chunk in disk.chunks(of: file).values { counts.append(chunk.count) }
            let limited = Observable.lines(of: file, LineOptions(maximumLength: 6), on: disk)
            var short = 0
            let end = await told { for try await _ in limited.values { short += 1 } }
            return ["\(read == lines)", "\(counts)", end, "\(short)"]
        },
    ]

    private static var path: Regex<Substring> { #/\/[^ ]*\//# }

    /// The result of a call: nothing, or its error without the folder.
    private static func told(_ call: () async throws -> some Any) async -> String {
        do {
            _ = try await call()
            return "done"
        } catch { return "\(type(of: error)) \("\(error)".replacing(path, with: ""))" }
    }

    @Test(arguments: scenarios) func `A program sees the same on both`(scenario: Scenario) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let real = try await scenario.run(.system, folder)
        let simulated = RecordedElements<String>()
        try await Simulation.replay(seed: 1) { world in
            simulated.removeAll()
            world.process("program", restartDelay: nil) { environment in
                for line in try await scenario.run(environment.disk, URL(filePath: "/data", directoryHint: .isDirectory)) {
                    simulated.append(line)
                }
            }
            try await world.run(for: .seconds(60))
        }
        #expect(simulated.elements == real)
        #expect(!real.isEmpty)
    }
}
