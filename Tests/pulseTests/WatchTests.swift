import Foundation
import LoopbackServer
import StreamsTesting
import TerminalViews
import Testing

@Suite("pulse watch checks endpoints", .serialized, .countsResources, .stopsServers)
struct WatchTests {
    private func server() throws -> LoopbackServer {
        let server = try running(
            .get("/up") { _ in .text("fine") }, .get("/down") { _ in .text("broken", status: 503) })
        return server
    }

    @Test func `Once: a line for each endpoint, 0 if all are up, 1 if one is down`() async throws {
        let server = try server()
        let good = try PipedRun(["watch", "\(server.baseURL)/up", "--once"])
        #expect(await good.child.end() == .exit(0))
        #expect(await good.output.all().contains("  up    200  "))
        let mixed = try PipedRun(["watch", "\(server.baseURL)/up", "\(server.baseURL)/down", "http://127.0.0.1:1/", "--once"])
        #expect(await mixed.child.end() == .exit(1))
        let lines = await mixed.output.all().split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.contains { $0.contains("  down  503  ") && $0.hasSuffix("status 503") })
        #expect(lines.contains { $0.contains("  down  -  ") && $0.hasSuffix("connection refused") })
    }

    @Test func `Once: in the order of the endpoints, whichever answers first, and in columns`() async throws {
        let server = try running(
            .get("/slow") { _ in LoopbackServer.Response.text("fine").with(.delay(.milliseconds(200))) },
            .get("/down") { _ in .text("broken", status: 503) })
        let endpoints = ["first=\(server.baseURL)/slow", "a-longer-name=\(server.baseURL)/down", "c=http://127.0.0.1:1/"]
        let run = try await ShellRun.pulse(["watch"] + endpoints + ["--once"])
        #expect(run.end == Child.End.exit(1))
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 3)
        let names = zip(lines, ["first", "a-longer-name", "c"]).map { line, name in line.firstRange(of: "  \(name)") != nil }
        #expect(names == [true, true, true])
        let columns = zip(lines.dropFirst(), ["status 503", "connection refused"]).map { line, reason in
            line.firstRange(of: reason).map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }
        #expect(columns[0] != nil && columns[0] == columns[1])
    }

    @Test func `Once runs no alert, also where the configuration has some`() async throws {
        let server = try server()
        let folder = try TestFolder()
        let alerts = #"{"command": "touch \#(folder.path)/ran", "file": "\#(folder.path)/alerts"}"#
        let config = try folder.file("config.json", #"{"alerts": \#(alerts), "endpoints": ["\#(server.baseURL)/down"]}"#)
        #expect(try await ShellRun.pulse(["watch", "--config", config, "--once"]).end == .exit(1))
        #expect(folder.names == ["config.json"])
    }

    @Test func `A check that times out is a failure`() async throws {
        let server = try running(.get("/slow") { _ in LoopbackServer.Response.text("late").with(.hang(at: .beforeHead)) })
        let run = try PipedRun(["watch", "\(server.baseURL)/slow", "--once", "--timeout", "0.2"])
        #expect(await run.child.end() == .exit(1))
        #expect(await run.output.all().contains("timed out"))
    }

    @Test func `The size of a body counts only where something is required of it`() async throws {
        let server = try running(.get("/large") { _ in LoopbackServer.Response(body: Data(count: 5 * 1024 * 1024)) })
        let folder = try TestFolder()
        let url = "\(server.baseURL)/large"
        let config = try folder.file("config.json", #"{"endpoints": ["\#(url)", {"url": "\#(url)", "text": "ok"}]}"#)
        let run = try await ShellRun.pulse(["watch", "--config", config, "--once"])
        #expect(run.output.split(separator: "\n").map { $0.contains("  up    200  ") } == [true, false])
        #expect(run.output.contains("longer than"))
    }

    @Test func `As JSON each line is one object`() async throws {
        struct Line: Decodable {
            let url: String
            let up: Bool
            let status: Int?
            let latencyMilliseconds: Double
            let error: String?
        }
        let server = try server()
        let run = try PipedRun(["watch", "\(server.baseURL)/down?token=secret", "--once", "--json"])
        #expect(await run.child.end() == .exit(1))
        let text = await run.output.all()
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        #expect(!line.up)
        #expect(line.status == 503)
        #expect(line.error == "status 503")
        #expect(line.latencyMilliseconds > 0)
        #expect(!text.contains("secret"))
    }

    @Test func `On a terminal it is a live table with a detail pane`() async throws {
        let server = try server()
        let arguments = ["watch", "\(server.baseURL)/up", "\(server.baseURL)/down", "--interval", "0.05"]
        let session = try #require(try TerminalSession(arguments, size: Size(width: 130, height: 30)))
        #expect(await session.wait() { $0.text.contains("● up") && $0.text.contains("▼ down") })
        #expect(await session.wait() { $0.text.contains("status 503") && $0.text.contains("100.0") })
        session.type("\u{1B}[B")
        let requests = server.counts.requests
        #expect(await session.wait() { _ in server.counts.requests > requests + 4 })
        await session.quit()
    }
}

@Suite("pulse serve runs only the demo's service", .serialized, .countsResources, .stopsServers)
struct ServeTests {
    @Test func `It prints its URL, responds, and stops at a signal`() async throws {
        let run = try PipedRun(["serve", "--port", "0"])
        #expect(await run.output.wait() { String(decoding: $0, as: UTF8.self).contains("/status/503") })
        let text = run.output.text
        let url = try #require(text.split(separator: " ").first { $0.hasPrefix("http://127.0.0.1:") })
        let get = try PipedRun(["get", "--pretty", "\(url)/quotes/ACME"])
        #expect(await get.child.end() == .exit(0))
        #expect(await get.output.all().contains("\"symbol\": \"ACME\""))
        run.child.send(SIGINT)
        #expect(await run.child.end() == .exit(130))
    }

    @Test func `A port in use is one line and exit code 1`() async throws {
        let server = try running()
        let run = try PipedRun(["serve", "--port", "\(server.port)"])
        #expect(await run.child.end() == .exit(1))
        #expect(await run.errors.all().contains("\(server.port)"))
        #expect(await run.errors.all().count { $0 == "\n" } == 1)
    }
}
