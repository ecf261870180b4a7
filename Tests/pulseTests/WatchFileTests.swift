import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("The files of a watch are their owner's, and name their units", .countsResources, .stopsServers)
struct WatchFileTests {
    private let folder = Result { try TestFolder() }

    private func check() throws -> Check {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: "n")
        return Check(
            target: target, time: Date(timeIntervalSince1970: 1), latency: .microseconds(12_345), outcome: .up(status: 200),
            phases: Phases(firstByte: 10, body: 0.25))
    }

    @Test func `Recording, alerts and statistics can be read by their owner only`() async throws {
        let server = try running(.get("/") { _ in .text("no", status: 500) })
        let names = ["recording.jsonl", "alerts.jsonl", "export.json"]
        let paths = try names.map { try folder.get().url.appending(path: $0).path }
        let run = try PipedRun([
            "watch", "\(server.baseURL)/", "-i", "0.02", "--record", paths[0], "--alerts", paths[1], "--export", paths[2],
        ])
        #expect(await run.output.wait { $0.contains(10) })
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        #expect(try folder.get().names == names.sorted())
    }

    @Test func `Statistics that cannot be written are one plain sentence, and what was there stays`() async throws {
        let server = try running(.get("/") { _ in .text("ok") })
        let folder = try folder.get()
        let path = folder.url.appending(path: "gone/export.json").path
        let run = try await ShellRun.pulse(["watch", "\(server.baseURL)/", "--once", "--export", path])
        #expect(run.end == .exit(ExitCode.outputFailure))
        #expect(run.errors == "pulse: the statistics could not be written: No such file or directory\n")
        try FileManager.default.createDirectory(at: folder.url.appending(path: "folder.json"), withIntermediateDirectories: true)
        #expect(throws: POSIXError.self) { try Export.write(WatchBoard(), to: folder.url.appending(path: "folder.json")) }
        #expect(folder.names == ["folder.json"])
    }

    @Test func `Every latency of a file is in milliseconds, and its name says so`() throws {
        let board = WatchBoard().applying(.check(try check()))
        let exported = try JSON(parsing: Export.json(board))
        for name in ["latency", "p50", "p95", "p99"] { #expect(exported.value(at: "0.\(name)Milliseconds")?.double == 12.345) }
        #expect(Export.csv(board).contains(",latencyMilliseconds,p50Milliseconds,p95Milliseconds,p99Milliseconds,"))
        let line = try JSON(parsing: CheckLine.json(try check()))
        #expect(line["latencyMilliseconds"]?.double == 12.345)
        #expect(line.value(at: "phaseMilliseconds.firstByte")?.double == 10)
        #expect(StateChange(check: try check(), since: nil).environment["PULSE_LATENCY_MS"] == "12.345")
    }

    @Test func `A recording of before, whose names did not say so, is still read`() throws {
        let line = CheckLine.json(try check())
            .replacing("latencyMilliseconds", with: "milliseconds").replacing("phaseMilliseconds", with: "phases")
        let read = try #require(CheckLine.check(try JSON(parsing: line)))
        #expect(read.latency == .microseconds(12_345))
        #expect(read.phases == Phases(firstByte: 10, body: 0.25))
    }

    @Test func `The limit of a configuration is in milliseconds; the one of before, in seconds, is still read`() throws {
        let limit = { (member: String) in
            try WatchConfig(
                parsing: "{\"endpoints\": [{\"url\": \"a\", \(member)}]}", file: "f", defaults: WatchOptions(), environment: [:]
            ).targets[0].requirement.latency
        }
        #expect(try limit("\"latencyMilliseconds\": 250") == .milliseconds(250))
        #expect(try limit("\"latencyMilliseconds\": 0.5e3") == .milliseconds(500))
        #expect(try limit("\"latency\": 0.25") == .milliseconds(250))
        #expect(throws: ConfigError.self) { try limit("\"latencyMilliseconds\": 0") }
    }
}
