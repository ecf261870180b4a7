import Foundation
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import pulse

@Suite("pulse get shows of a response what is wanted", .serialized, .countsResources, .stopsServers)
struct GetOutputTests {
    private let server: LoopbackServer
    private var url: String { server.baseURL.absoluteString }

    init() throws {
        server = try running(
            .any("/json") { _ in .json(text: #"{"a":"b\u001b","c":[1,true]}"#).header("Set-Cookie", "id=hunter2").header("X-A", "1") },
            .get("/latin") { _ in .data(Data([0x63, 0x61, 0x66, 0xE9, 0x0A]), type: "text/plain; charset=ISO-8859-1") },
            .get("/events") { _ in
                LoopbackServer.Response.data(Data(": hi\nevent: tick\ndata: {\"a\":1}\n\n".utf8), type: "text/event-stream")
                    .header("Transfer-Encoding", "chunked").with(.hang(at: .inBody(after: 34)))
            },
            .get("/lines") { _ in
                LoopbackServer.Response.data(Data("{\"a\":1}\n{\"b\":".utf8), type: "application/json").chunked().with(
                    .hang(at: .inBody(after: 8)))
            })
    }

    @Test func `-i prints the head before the body, -I only the head`() async throws {
        let both = try await ShellRun.pulse(["get", "-i", "\(url)/json"])
        #expect(both.output.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: id=hunter2\r\nX-A: 1\r\n"))
        #expect(both.output.hasSuffix("\r\n\r\n" + #"{"a":"b\u001b","c":[1,true]}"#))
        let head = try await ShellRun.pulse(["get", "-I", "\(url)/json"])
        #expect(head.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(head.output.hasSuffix("\r\n\r\n"))
        #expect(server.recordedRequests.last?.method == "HEAD")
    }

    @Test func `-v tells connection, request, head and times on standard error, without secrets unless they are wanted`() async throws {
        let arguments = ["get", "-v", "\(url)/json?token=hunter2", "-u", "ada:hunter2"]
        let result = try await ShellRun.pulse(arguments)
        #expect(result.output == #"{"a":"b\u001b","c":[1,true]}"#)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasPrefix("* Connected to 127.0.0.1") })
        #expect(lines.contains("> GET /json?token=*** HTTP/1.1"))
        #expect(lines.contains("> Authorization: ***"))
        #expect(lines.contains("> User-Agent: pulse/\(Streams.version)"))
        #expect(lines.contains("< HTTP/1.1 200 OK"))
        #expect(lines.contains("< Set-Cookie: ***"))
        #expect(lines.last?.contains(/^\* [0-9]+ B in [0-9.]+ m?s, .*wait [0-9.]+ m?s/) == true)
        #expect(!result.errors.contains("hunter2"))
        let shown = try await ShellRun.pulse(arguments + ["--show-secrets"]).errors
        #expect(shown.contains("> GET /json?token=hunter2 HTTP/1.1\n"))
        #expect(shown.contains("< Set-Cookie: id=hunter2\n"))
    }

    @Test func `--timing is a waterfall of the phases, in ASCII where there is nothing else`() async throws {
        let result = try await ShellRun.pulse(["get", "--timing", "\(url)/json"], environment: ["LANG": "C", "LC_ALL": "C"])
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.map { $0.prefix { $0 != " " } } == ["name", "connect", "wait", "body", "total"])
        #expect(lines.dropLast().allSatisfy { $0.contains(/[ ]m?s +#+$/) && $0.count <= 80 })
        let starts = lines.dropLast().compactMap { $0.firstIndex(of: "#")?.utf16Offset(in: $0) }
        #expect(starts == starts.sorted())
    }

    @Test func `On a terminal JSON is laid out in colors, and without any with NO_COLOR; -i colors the status`() async throws {
        let session = try #require(try BareSession(["get", "-i", "\(url)/json"], environment: ["TERM": "xterm-256color", "NO_COLOR": ""]))
        #expect(await session.read(until: "\u{1B}[1;32m200 OK\u{1B}[m"))
        #expect(await session.drainUntilEnd() == .exit(0))
        let body = try #require(try BareSession(["get", "\(url)/json"], environment: ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(await body.read(until: "  \u{1B}[36m\"a\"\u{1B}[m: \u{1B}[32m\"b\\u001b\"\u{1B}[m,\r\n"))
        #expect(await body.drainUntilEnd() == .exit(0))
        let plain = try #require(try BareSession(["get", "\(url)/json"], environment: ["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(await plain.read(until: "  \"a\": \"b\\u001b\",\r\n  \"c\": [\r\n    1,\r\n    true\r\n  ]\r\n}\r\n"))
        #expect(await plain.drainUntilEnd() == .exit(0))
        let raw = try #require(try BareSession(["get", "--raw", "\(url)/json"], environment: ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(await raw.read(until: #"{"a":"b\u001b","c":[1,true]}"#))
        #expect(await raw.drainUntilEnd() == .exit(0))
    }

    @Test func `A declared charset is decoded on a terminal and with --pretty, and the bytes go into a pipe as they are`() async throws {
        let session = try #require(try BareSession(["get", "\(url)/latin"]))
        #expect(await session.read(until: "café"))
        #expect(await session.drainUntilEnd() == .exit(0))
        #expect(try await ShellRun.pulse(["get", "--pretty", "\(url)/latin"]).output == "café\n")
        #expect(try await ShellRun.pulse(["get", "\(url)/latin"]).output == "caf\u{FFFD}\n")
    }

    @Test(arguments: [true, false])
    func `The lines of event streams and of JSON lines are printed as they come`(isTerminal: Bool) async throws {
        for (path, text, colored) in [
            ("events", "event: tick\ndata: {\"a\":1}\n", "\u{1B}[2mdata:\u{1B}[m {\u{1B}[36m\"a\"\u{1B}[m:\u{1B}[33m1\u{1B}[m}\r\n"),
            ("lines", "{\"a\":1}\n", "{\u{1B}[36m\"a\"\u{1B}[m:\u{1B}[33m1\u{1B}[m}\r\n"),
        ] {
            if isTerminal {
                let session = try #require(try BareSession(["get", "\(url)/\(path)"], environment: ["TERM": "xterm", "NO_COLOR": ""]))
                #expect(await session.read(until: colored))
                await session.type([0x03])
                #expect(await session.drainUntilEnd() == .exit(130))
            } else {
                let run = try PipedRun(["get", "\(url)/\(path)"])
                #expect(await run.output.wait { String(decoding: $0, as: UTF8.self).contains(text) })
                run.child.send(SIGINT)
                #expect(await run.child.end() == .exit(130))
            }
        }
    }

    @Test func `A reader that closes the pipe is a quiet end, a full disk is exit code 3`() async throws {
        #expect(try await ShellRun.pulse(["get", "-o", "-", "\(url)/latin"]).output == "caf\u{FFFD}\n")
        #expect(try await ShellRun.pulse(["get", "-o", "/dev/null", "\(url)/json"]) == .quietSuccess)
        #if canImport(Glibc)
            let full = try await ShellRun.pulse(["get", "-o", "/dev/full", "\(url)/json"])
            #expect(full.end == .exit(ExitCode.outputFailure))
            #expect(full.errors == "pulse: standard output could not be written: No space left on device\n")
        #endif
    }
}
