import Foundation
import LoopbackServer
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@testable import pulse

@Suite("A watch on a real terminal does what its keys, its files and its signals say", .serialized, .countsResources, .stopsServers)
struct WatchSessionTests {
    /// A service of which one route is up, one down with a body, and one flips when asked to.
    private func server(_ isUp: BehaviorRelay<Bool>) throws -> LoopbackServer {
        let server = try running(
            .get("/up") { _ in .json(["state": "fine"]) },
            .get("/down") { _ in .text("out of\u{1B}[2J coffee", status: 503) },
            .get("/flip") { _ in isUp.value ? .text("ok") : .text("no", status: 500) })
        return server
    }

    private let folder = Result { try TestFolder() }

    private func temporary(_ name: String) throws -> URL { try folder.get().url.appending(path: name) }

    private func lines(of file: URL) -> [String] {
        ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    @Test
    func `One session: names, groups, failing first, details, filter, sorting, mouse, help, pause, alerts, a reread, files, the end`()
        async throws
    {
        let isUp = BehaviorRelay(value: true)
        let server = try server(isUp)
        let (config, recording, alerts) = try (temporary("config.json"), temporary("recording.jsonl"), temporary("alerts.jsonl"))
        let (export, touched) = try (temporary("export.json"), temporary("touched"))
        let description = { (more: String) -> String in
            """
            {"interval": 0.05, "groups": [{"name": "shop", "endpoints": [
              {"name": "cart", "url": "\(server.baseURL)/up", "json": {"path": "state", "equals": "fine"}},
              {"name": "bar", "url": "\(server.baseURL)/down"}\(more)
            ]}]}
            """
        }
        try description("").write(to: config, atomically: true, encoding: .utf8)
        let arguments = [
            "watch", "flip=\(server.baseURL)/flip", "-i", "0.05", "--config", config.path, "--record", recording.path, "--alerts",
            alerts.path,
            "--export", export.path, "--bell", "--on-change", "echo $PULSE_NAME $PULSE_STATE $PULSE_STATUS >> \(touched.path)",
        ]
        let session = try #require(try TerminalSession(arguments, size: Size(width: 110, height: 30)))

        // Failing first, counted, with the bell and the group.
        #expect(await session.wait { $0.text.contains("2/3 up") && $0.line(2).contains("bar") && $0.bells > 0 })
        #expect(await session.wait { $0.line(1).contains("State ▲") && $0.line(2).contains("▼ down") && $0.line(2).contains("shop") })
        #expect(session.picture.reportsMouse)

        // A click selects, and the details follow; the body of the failure is shown without its control sequence.
        session.type("\u{1B}[<0;20;3M\u{1B}[<0;20;3m")
        #expect(await session.wait { $0.text.contains("┌ bar  \(server.baseURL)/down") && $0.text.contains("down since") })
        session.type("\t")
        #expect(await session.wait { $0.text.contains("503  status 503") })
        session.type("l")
        #expect(await session.wait { $0.text.contains("out of␛[2J coffee") })
        session.type("\t\r")
        #expect(await session.wait { !$0.text.contains("State ▲") && $0.text.contains("ago") && $0.text.contains("now") })
        session.type("\u{1B}[A\r")
        #expect(await session.wait { $0.text.contains("State ▲") })

        // The filter: no match says so and empties the details; Ctrl-W and Ctrl-U edit it.
        session.type("/shop nothing")
        #expect(await session.wait { $0.text.contains("Nothing matches “shop nothing”") && $0.text.contains("Nothing is selected.") })
        session.type("\u{17}")
        #expect(await session.wait { $0.text.contains("cart") && !$0.text.contains("flip") })
        session.type("\u{15}\u{1B}[200~flip\u{1B}[201~\r")
        #expect(await session.wait { $0.text.contains("filter flip") && !$0.text.contains("cart") })
        session.type("\u{1B}")
        #expect(await session.wait { $0.text.contains("cart") && !$0.text.contains("filter flip") })

        // Sorting by a click on a title, and back with the keys.
        session.type("\u{1B}[<0;10;2M")
        #expect(await session.wait { $0.line(1).contains("Endpoint ▲") && $0.line(2).contains("bar") && $0.line(4).contains("flip") })
        session.type("S")
        #expect(await session.wait { $0.line(1).contains("Endpoint ▼") && $0.line(2).contains("flip") })
        session.type("ssssss")
        #expect(await session.wait { $0.line(1).contains("State ▲") })

        // The help.
        session.type("?")
        #expect(await session.wait { $0.text.contains("turn the page of the details") && $0.text.contains("q quit") })
        session.type("j\u{1B}")
        #expect(await session.wait { !$0.text.contains("turn the page of the details") })

        // Paused, nothing is asked; resumed, it is again.
        session.type(" ")
        #expect(await session.wait { $0.line(0).contains("paused") })
        let requests = server.counts.requests
        // A refresh that finds a check in progress does not ask again.
        var isAsked = false
        for _ in 0..<600 where !isAsked {
            session.type("r")
            isAsked = await session.wait(seconds: 1) { _ in server.counts.requests >= requests + 3 }
        }
        #expect(isAsked)
        session.type(" ")
        #expect(await session.wait { $0.line(0).contains("live") })

        // A change is an alert: in the file, and as a command that knows the facts.
        isUp.accept(false)
        #expect(await session.wait { $0.text.contains("1/3 up") })
        isUp.accept(true)
        #expect(await session.wait { $0.text.contains("2/3 up") })
        #expect(await session.wait { _ in self.lines(of: touched).sorted() == ["bar down 503", "flip down 500", "flip up 200"] })
        #expect(lines(of: alerts).count == 3)

        // A configuration with a fault changes nothing but says so; one without is read, and what is known of the others is kept.
        try "{\"endpoints\": [7]}".write(to: config, atomically: true, encoding: .utf8)
        session.child.send(SIGHUP)
        #expect(await session.wait { $0.line(1).contains("config.json:1:16: an endpoint is a string") && $0.text.contains("2/3 up") })
        try description(", {\"name\": \"new\", \"url\": \"\(server.baseURL)/up\"}").write(to: config, atomically: true, encoding: .utf8)
        session.child.send(SIGHUP)
        #expect(await session.wait { $0.text.contains("3/4 up") && $0.text.contains("new") && $0.line(1).contains("State ▲") })

        // Small windows keep the table and q.
        session.type("g")
        session.resize(to: Size(width: 40, height: 10))
        #expect(await session.wait { $0.line(2).contains("bar") && $0.line(9).contains("q quit") && !$0.text.contains("Overview") })
        session.resize(to: Size(width: 20, height: 5))
        #expect(await session.wait { $0.line(0).contains("3/4 up") && $0.line(2).contains("bar") && $0.line(4).contains("q quit") })
        #expect(session.picture.unknownSequences.isEmpty)

        await session.quit()
        #expect(!session.picture.reportsMouse)
        let statistics = try JSONDecoder().decode([Statistics].self, from: Data(contentsOf: export))
        #expect(statistics.map(\.name) == ["flip", "cart", "bar", "new"])
        #expect(statistics[0].failures > 0 && statistics[0].checks > statistics[3].checks)
        #expect(lines(of: recording).count >= statistics.map(\.checks).reduce(0, +) - 4)
        try await replay(recording)
    }

    private struct Statistics: Decodable {
        let name: String
        let checks: Int
        let failures: Int
    }

    /// The recording shows the same endpoints, and into a pipe it gives its lines.
    private func replay(_ recording: URL) async throws {
        let session = try #require(
            try TerminalSession(["watch", "--replay", recording.path, "--speed", "1000"], size: Size(width: 100, height: 24)))
        #expect(await session.wait { $0.line(1).contains("end of the recording") && $0.text.contains("3/4 up") })
        #expect(session.picture.line(0).contains("replay ×1000"))
        await session.quit()
        let run = try PipedRun(["watch", "--replay", recording.path, "--json"])
        #expect(await run.child.end() == .exit(0))
        #expect(await run.output.all().split(separator: "\n").count == lines(of: recording).count)
    }

    @Test func `LANG=C gets ASCII, on the screen and in lines`() async throws {
        let server = try server(BehaviorRelay(value: true))
        let arguments = ["watch", "caf\u{E9}=\(server.baseURL)/up", "\(server.baseURL)/down", "-i", "0.05"]
        let session = try #require(try TerminalSession(arguments, size: Size(width: 80, height: 24), environment: ["LC_ALL": "C"]))
        #expect(await session.wait { $0.text.contains("* up") && $0.text.contains("V down") && $0.text.contains("| Overview") })
        #expect(session.picture.text.utf8.allSatisfy { $0 < 0x80 })
        await session.quit()
        let run = try PipedRun(arguments + ["--once"], environment: ["LC_ALL": "C"])
        #expect(await run.child.end() == .exit(1))
        #expect(await run.output.all().contains("cafe"))
    }

    @Test func `A configuration that cannot be used is one line and exit code 2`() async throws {
        let config = try temporary("config.json")
        try "{\n  \"endpoints\": [{\"url\": \"http://a\", \"intervall\": 1}]\n}".write(to: config, atomically: true, encoding: .utf8)
        for (arguments, sentence) in [
            (["--config", config.path], ":2:37: unknown member \"intervall\"; did you mean interval?\n"),
            (["--config", "/nonexistent/x.json"], "could not be read: No such file or directory\n"),
            (["--config", "/dev"], "could not be read: Is a directory\n"),
            (["--replay", "/nonexistent/x.jsonl"], "No such file or directory\n"),
            (["a", "--record", "/nonexistent/x.jsonl"], "No such file or directory\n"),
        ] {
            let run = try PipedRun(["watch"] + arguments)
            #expect(await run.child.end() == .exit(2))
            let errors = await run.errors.all()
            #expect(errors.contains(sentence) && errors.count { $0 == "\n" } == 1)
        }
    }

    #if canImport(Glibc)
        @Test(arguments: ["--record", "--alerts"])
        func `A file that can no longer be written ends the watch with a line and its exit code`(flag: String) async throws {
            let run = try PipedRun(["watch", "http://127.0.0.1:1", "-i", "0.05", flag, "/dev/full"])
            #expect(await run.child.end() == .exit(ExitCode.outputFailure))
            #expect(await run.errors.all() == "pulse: /dev/full could not be written: No space left on device\n")
        }
    #endif

    @Test func `A check waits for no other endpoint, and its latency is its own: a slow and a failing one change nothing`() async throws {
        let server = try running(
            .get("/fast") { _ in .text("ok") },
            .get("/hangs") { _ in LoopbackServer.Response.text("late").with(.hang(at: .beforeHead)) })
        let arguments = [
            "watch", "\(server.baseURL)/fast", "\(server.baseURL)/hangs", "https://127.0.0.1:\(server.port)/tls", "http://127.0.0.1:1",
            "-i", "0.05", "-t", "60", "--json",
        ]
        let run = try PipedRun(arguments)
        #expect(
            await run.output.wait { bytes in
                String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { $0.contains("/fast") } > 20
            })
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
        let lines = run.output.text.split(separator: "\n")
        #expect(!lines.contains { $0.contains("/hangs") })
        let checks = lines.compactMap { line in (try? JSONDecoder().decode(Line.self, from: Data(line.utf8))) }
        let fast = checks.filter { $0.url.hasSuffix("/fast") }
        #expect(fast.contains { $0.reused == true })
        // The phases of a check are parts of its own latency.
        #expect(fast.allSatisfy { ($0.phaseMilliseconds?.values.reduce(0, +) ?? .infinity) <= $0.latencyMilliseconds + 0.1 })
    }

    private struct Line: Decodable {
        let url: String
        let latencyMilliseconds: Double
        let phaseMilliseconds: [String: Double]?
        let reused: Bool?
    }

    @Test func `The body of a response is discarded unless something is expected in it`() async throws {
        let server = try running(.get("/large") { _ in .generated(bytes: 300_000_000) })
        let run = try PipedRun(["watch", "\(server.baseURL)/large", "-i", "600", "-t", "600"])
        #expect(await run.output.wait { $0.contains(UInt8(ascii: "\n")) })
        #expect(run.output.text.contains("  up    200  "))
        #expect(try #require(run.child.peakMegabytes) < Child.memoryLimit)
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
    }
}

extension TerminalEmulator {
    /// A line of the screen; empty where there is none.
    func line(_ number: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.contains(number) ? String(lines[number]) : ""
    }
}
