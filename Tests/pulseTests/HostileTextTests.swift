import Foundation
import NetNodes
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@testable import pulse

/// One character of millions of bytes: marks in an order that is not the canonical one take quadratic time to normalize.
func hostileText(_ marks: Int) -> String {
    var scalars = "e".unicodeScalars
    for index in 0..<marks { scalars.append(index.isMultiple(of: 2) ? "\u{301}" : "\u{316}") }
    return String(scalars)
}

@Suite("Text of others is bounded where it arrives, in bytes too", .serialized, .countsResources, .stopsServers, .timeLimit(.minutes(20)))
struct HostileTextTests {
    private let folder = Result { try TestFolder() }

    private func temporary(_ name: String) throws -> URL { try folder.get().url.appending(path: name) }

    private func text(of file: URL) -> String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    @Test
    func `A value of one character of a megabyte is a short reason: the command runs, the recording is small, SIGTERM ends it`()
        async throws
    {
        let server = try running(.get("/") { _ in .text("{\"status\": \"\(hostileText(500_000))\"}") })
        let (config, recording, touched) = try (temporary("config.json"), temporary("recording.jsonl"), temporary("touched"))
        let endpoint = "{\"name\": \"n\", \"url\": \"\(server.baseURL)/\", \"json\": {\"path\": \"status\", \"equals\": \"ok\"}}"
        _ = try folder.get().file("config.json", "{\"interval\": 0.05, \"endpoints\": [\(endpoint)]}")
        let command = "printf '%s' \"$PULSE_ERROR\" > \(touched.path)"
        let run = try PipedRun(["watch", "--config", config.path, "--record", recording.path, "--on-change", command])
        // Each check is a line, after which the file is looked at again.
        #expect(await run.output.wait { _ in text(of: touched).hasSuffix(", expected \"ok\"") })
        #expect(text(of: touched).utf8.count < Check.longestReason * 4)
        #expect((run.child.peakMegabytes ?? 0) < Child.memoryLimit)
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
        #expect(text(of: recording).split(separator: "\n").allSatisfy { $0.utf8.count < 2_000 })
    }

    @Test func `A check of others is bounded in every text that it has`() throws {
        let long = hostileText(500_000)
        let members = { (changed: [String: JSON]) -> JSON in
            let usual: [String: JSON] = [
                "time": "2026-11-22T11:20:31.123Z", "url": "http://h/", "up": false, "latencyMilliseconds": 1, "error": "e",
            ]
            return .object(JSON.Object(usual.merging(changed) { $1 }.map { ($0.key, $0.value) }))
        }
        let check = try #require(CheckLine.check(members(["name": JSON(long), "group": JSON(long), "error": JSON(long)])))
        for text in [check.target.name, check.target.group, check.target.id, check.reason] {
            #expect((1...Check.longestReason * 4 + 3).contains(text?.utf8.count ?? 0))
        }
        #expect(CheckLine.check(members(["time": JSON(long)])) == nil)
        #expect(CheckLine.check(members(["url": JSON("http://h/" + String(repeating: "a", count: 10_000))])) == nil)
        #expect(CheckLine.check(members(["url": JSON(long)])) == nil)
        let bounded = WatchTarget(try #require(URL(string: "http://h/")), name: long, group: long)
        #expect(bounded.id.utf8.count < 1_000)
    }

    @Test func `A line of a recording that is too long is one line, and the next is read`() throws {
        let target = WatchTarget(try #require(URL(string: "http://h/")), name: "n")
        let check = Check(target: target, time: Date(timeIntervalSince1970: 1), latency: .milliseconds(1), outcome: .up(status: 200))
        let lines = ["{\"\(hostileText(450_000))\": 1}", String(repeating: "x", count: 900_000), CheckLine.json(check)]
        let file = URL(filePath: try folder.get().file("recording.jsonl", lines.joined(separator: "\n")))
        let events = try Replay(file, speed: 1).allEvents().ended().get()
        #expect(events.dropLast() == [1, 2].map { .problem("line \($0) of the recording is no check") }[...])
        #expect(events.last?.check?.target.name == "n")
    }

    @Test func `The sentence of an error is bounded, whatever it quotes`() {
        struct Failure: LocalizedError {
            var errorDescription: String? { "The server said \(hostileText(500_000))." }
        }
        #expect(ErrorWording.sentence(Failure()).utf8.count < 5_000)
        #expect(ErrorWording.short(TechnicalError.secureConnectionFailed("h: \(hostileText(500_000))")).utf8.count < 5_000)
        let target = WatchTarget(URL(filePath: "/"))
        let reason = Check(failed: Failure(), of: target, after: .zero).reason
        #expect((reason?.utf8.count ?? .max) <= Check.longestReason * 4 + 3)
    }

    @Test func `A line of a head that is one character is shown at once`() {
        let line = HeadText(palette: .full, isTerminal: true).line("X: \(hostileText(120_000))")
        let verbose = VerboseText(palette: .none, showsSecrets: false).line(.receivedHeader("X: \(hostileText(120_000))"))
        #expect(line.utf8.count < 200 && (verbose?.utf8.count ?? .max) < 200)
    }
}
