import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import pulse

@Suite("pulse get sends one request through the whole chain", .serialized, .countsResources, .stopsServers)
struct GetTests {
    private func run(_ arguments: [String]) async throws -> ShellRun.Result {
        try await ShellRun.pulse(["get"] + arguments)
    }

    @Test func `JSON goes into a pipe as received; --pretty lays it out, with its names in order and its numbers unchanged`() async throws {
        let server = try running(.get("/quotes") { _ in .json(text: #"{"symbol":"ACME","a":[1.50,null],"empty":{}}"#) })
        #expect(try await run(["\(server.baseURL)/quotes"]).output == #"{"symbol":"ACME","a":[1.50,null],"empty":{}}"#)
        let result = try await run(["\(server.baseURL)/quotes", "--pretty"])
        #expect(result.end == .exit(0))
        #expect(result.errors == "")
        #expect(result.output == "{\n  \"symbol\": \"ACME\",\n  \"a\": [\n    1.50,\n    null\n  ],\n  \"empty\": {}\n}\n")
    }

    @Test func `Anything but JSON is printed unchanged`() async throws {
        let server = try running(.get("/text") { _ in .text("plain {text}\n") })
        let result = try await run(["\(server.baseURL)/text"])
        #expect(result.end == .exit(0))
        #expect(result.output == "plain {text}\n")
    }

    @Test func `Method, headers and data arrive`() async throws {
        let server = try running(
            .any("/echo") { request in
                let parts = [
                    request.method, request.headers["X-Test"] ?? "-", request.headers["Content-Type"] ?? "-",
                    String(decoding: request.body, as: UTF8.self),
                ]
                return .text(parts.joined(separator: "|"))
            })
        let url = "\(server.baseURL)/echo"
        #expect(try await run([url, "-X", "PUT", "-H", "X-Test: yes", "-d", #"{"a":1}"#]).output == #"PUT|yes|application/json|{"a":1}"#)
        #expect(try await run([url, "-d", "a=1"]).output == "POST|-|application/x-www-form-urlencoded|a=1")
        #expect(try await run([url, "-H", "Content-Type: text/csv", "-d", "a"]).output == "POST|-|text/csv|a")
    }

    @Test func `Requests identify the program, unless the user sets another User-Agent`() async throws {
        let server = try running(.get("/who") { request in .text(request.headers["User-Agent"] ?? "-") })
        let url = "\(server.baseURL)/who"
        let name = try await ShellRun.pulse(["--version"]).output.trimmingCharacters(in: .newlines).replacing(" ", with: "/")
        #expect(name.wholeMatch(of: /pulse\/\d+\.\d+\.\d+/) != nil)
        #expect(try await run([url]).output == name)
        #expect(try await run([url, "-H", "User-Agent: other/1"]).output == "other/1")
        #expect(try await ShellRun.pulse(["watch", url, "--once"]).end == .exit(0))
        #expect(server.recordedRequests.last?.headers["User-Agent"] == name)
    }

    @Test(arguments: [401, 404, 500, 503])
    func `Of a failure the body is printed, and one line, and the exit code tells its kind`(status: Int) async throws {
        let server = try running(
            .get("/x") { _ in
                let response = LoopbackServer.Response.json(["error": "no"], status: status)
                return status == 401 ? response.header("WWW-Authenticate", "Basic realm=\"test\"") : response
            })
        let result = try await run(["\(server.baseURL)/x"])
        #expect(result.end == .exit(status < 500 ? ExitCode.clientError : ExitCode.serverError))
        #expect(result.output == #"{"error":"no"}"#)
        #expect(result.errors.hasPrefix("pulse: \(server.baseURL)/x responded with \(status) ("))
        #expect(!result.errors.contains("body"))
        let failing = try await run(["\(server.baseURL)/x", "--fail"])
        #expect(failing.end == .exit(ExitCode.clientError))
        #expect(failing.output == "")
        #expect(failing.errors.contains("with the body"))
        #expect(result.errors.count { $0 == "\n" } == 1)
    }

    @Test func `A refused connection, or no response within 300 ms, is one line and an exit code of its own`() async throws {
        let server = try running(.get("/slow") { _ in LoopbackServer.Response.text("late").with(.hang(at: .beforeHead)) })
        let slow = try await run(["\(server.baseURL)/slow", "--timeout", "0.3"])
        #expect(slow.end == .exit(ExitCode.timeout))
        #expect(slow.errors.contains("300 ms"))
        #expect(slow.errors.count { $0 == "\n" } == 1)
        let url = server.baseURL
        server.stop()
        let refused = try await run(["\(url)/x"])
        #expect(refused.end == .exit(ExitCode.noConnection))
        #expect(refused.errors.hasPrefix("pulse: Could not connect to \(url)/x"))
        #expect(refused.errors.count { $0 == "\n" } == 1)
    }

    @Test func `A response with control sequences cannot control the terminal`() async throws {
        let server = try running(.get("/x") { _ in .text("a\u{1B}[2Jb\u{9B}c\n") })
        let session = try #require(try TerminalSession(["get", "\(server.baseURL)/x"], size: .init(width: 80, height: 24)))
        #expect(await session.wait() { $0.text.contains("a␛[2Jb\u{FFFD}c") })
        #expect(await session.child.end() == .exit(0))
    }

    @Test(.enabled(if: PythonServer.isInstalled)) func `It exits as it says, however long its engine takes to end`() async throws {
        let python = try await PythonServer()
        for _ in 0..<30 {
            #expect(try await run(["-i", "\(python.url)/"]).end == .exit(0))
        }
        await python.stop()
    }

    @Test(.enabled(if: PythonServer.isInstalled, "python3 is not installed here")) func `It works with Python's server too`() async throws {
        let python = try await PythonServer()
        let found = try await run(["\(python.url)/data.json"])
        #expect(found.end == .exit(0))
        #expect(found.output == #"{"a":[1,2]}"#)
        let missing = try await run(["\(python.url)/missing"])
        #expect(missing.end == .exit(ExitCode.clientError))
        #expect(missing.output.contains("<html"))
        #expect(missing.errors.contains("404"))
        await python.stop()
    }
}
