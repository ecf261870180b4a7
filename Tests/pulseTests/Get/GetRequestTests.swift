import Foundation
import LoopbackServer
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import pulse

@Suite("pulse get sends what its flags describe", .serialized, .countsResources, .stopsServers)
struct GetRequestTests {
    private let server: LoopbackServer
    private var url: String { "\(server.baseURL)/echo" }

    init() throws {
        server = try running(
            .any("/echo") { _ in .text("ok") }, .any("/moved") { _ in .redirect(to: "/echo", status: 302) },
            .get("/loop") { _ in .redirect(to: "/loop") })
    }

    /// Runs it and returns the request that the server received.
    private func sent(_ arguments: [String], input: String? = nil) async throws -> LoopbackServer.Request {
        let result = try await ShellRun.pulse(["get", url] + arguments, input: input)
        #expect(result == ShellRun.Result(end: .exit(0), output: "ok", errors: ""))
        return try #require(server.recordedRequests.last)
    }

    @Test func `Data comes from text, from files and from standard input, and its type from what it is`() async throws {
        let folder = try TestFolder()
        let json = try folder.file("a.json", "{\"a\":\r\n1}\n")
        let other = try folder.file("a.other", "x=1\n")
        let cases: [([String], String?, String, String)] = [
            (["-d", "a=1"], nil, "a=1", "application/x-www-form-urlencoded"),
            (["-d", "a=1", "-d", "b=2"], nil, "a=1&b=2", "application/x-www-form-urlencoded"),
            (["-d", "@\(json)"], nil, "{\"a\":\r\n1}\n", "application/json"),
            (["-d", "@\(other)"], nil, "x=1\n", "application/x-www-form-urlencoded"),
            (["-d", "-"], "[1]\n", "[1]\n", "application/json"), (["-d", "@-"], "é", "é", "application/x-www-form-urlencoded"),
            (["-d", "a=1", "-d", "@\(other)"], nil, "a=1&x=1\n", "application/x-www-form-urlencoded"),
            (["--data-urlencode", "a=b c&=é"], nil, "a=b%20c%26%3D%C3%A9", "application/x-www-form-urlencoded"),
            (
                ["--json", "a=1", "--json", "b:=[1, true]", "--json", "c=@\(other)"], nil, #"{"a":"1","b":[1,true],"c":"x=1\n"}"#,
                "application/json"
            ),
            (["--json", "{\"z\": 1}"], nil, "{\"z\": 1}", "application/json"), (["--json", "-"], "{}", "{}", "application/json"),
        ]
        for (arguments, input, body, type) in cases {
            let request = try await sent(arguments, input: input)
            #expect(request.method == "POST")
            #expect(String(decoding: request.body, as: UTF8.self) == body)
            #expect(request.headers["Content-Type"] == type)
        }
        #expect(try await sent(["--json", "a=1", "-H", "Accept: text/csv", "-X", "PUT"]).headers["Accept"] == "text/csv")
    }

    @Test func `A pipe is read like a file, and an upload is a file, a pipe or standard input as it is`() async throws {
        let folder = try TestFolder()
        let file = try folder.file("a.json", "{}\n")
        let bytes = Data([0xFF, 0x00, 0x0A])
        try bytes.write(to: folder.url.appending(path: "b"))
        let fifo = folder.url.appending(path: "fifo").path
        try #require(mkfifo(fifo, 0o600) == 0)
        let cases: [([String], String?, Data, String, String)] = [
            (["-d", "@\(fifo)"], nil, Data("piped\n".utf8), "application/x-www-form-urlencoded", "POST"),
            (["-F", "a=@\(fifo)"], nil, Data("piped\n".utf8), "multipart/form-data", "POST"),
            (["-T", fifo], nil, Data("piped\n".utf8), "application/octet-stream", "PUT"),
            (["-T", "-"], "typed\n", Data("typed\n".utf8), "application/octet-stream", "PUT"),
            (["-T", "-"], "", Data(), "application/octet-stream", "PUT"),
            (["-T", file], nil, Data("{}\n".utf8), "application/json", "PUT"),
            (["-T", "\(folder.path)/b"], nil, bytes, "application/octet-stream", "PUT"),
            (["-T", file, "-X", "POST", "-H", "Content-Type: a/b"], nil, Data("{}\n".utf8), "a/b", "POST"),
            (["-F", "a=@-"], "typed\n", Data("typed\n".utf8), "multipart/form-data", "POST"),
            (["-F", "a=<-"], "typed\n", Data("typed\n".utf8), "multipart/form-data", "POST"),
        ]
        for (arguments, input, body, type, method) in cases {
            // The shell opens the pipe for writing, and `pulse` for reading.
            let script = arguments.contains { $0.hasSuffix("/fifo") } ? "echo piped > '\(fifo)' & exec \"$0\" \"$@\"" : "exec \"$0\" \"$@\""
            let result = try await ShellRun.run(["/bin/sh", "-c", script], [PulseBinary.path, "get", url] + arguments, input: input)
            #expect(result == ShellRun.Result(end: .exit(0), output: "ok", errors: ""), "\(arguments)")
            let request = try #require(server.recordedRequests.last)
            #expect(request.method == method && request.headers["Content-Type"]?.hasPrefix(type) == true, "\(arguments)")
            #expect(type == "multipart/form-data" ? request.body.range(of: body) != nil : request.body == body, "\(arguments)")
        }
    }

    @Test func `A form has its fields and files with their types`() async throws {
        let folder = try TestFolder()
        let file = try folder.file("photo.png", "PNG\0\r\n")
        let request = try await sent(["-F", "title=A \"b\"", "-F", "p=@\(file)", "-F", "q=@\(file);type=text/x;filename=n.x"])
        let type = try #require(request.headers["Content-Type"])
        let boundary = try #require(type.split(separator: "boundary=").last)
        #expect(type.hasPrefix("multipart/form-data; "))
        let parts = String(decoding: request.body, as: UTF8.self).components(separatedBy: "--\(boundary)")
        #expect(parts.count == 5)
        #expect(parts[1] == "\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nA \"b\"\r\n")
        #expect(
            parts[2]
                == "\r\nContent-Disposition: form-data; name=\"p\"; filename=\"photo.png\"\r\nContent-Type: image/png\r\n\r\nPNG\0\r\n\r\n")
        #expect(parts[3].contains("name=\"q\"; filename=\"n.x\"\r\nContent-Type: text/x\r\n"))
    }

    @Test func `Repeated headers are all sent, items are added to the query, and a user is authenticated`() async throws {
        let request = try await sent(["-H", "X-A: 1", "-H", "x-a: 2", "-q", "a b=c&d", "-q", "e=", "-u", "ada:pass:word"])
        #expect(request.headers.values("X-A") == ["1", "2"])
        #expect(request.target.hasSuffix("/echo?a%20b=c%26d&e="))
        #expect(request.headers["Authorization"] == "Basic \(Data("ada:pass:word".utf8).base64EncodedString())")
        #expect(try await sent(["-u", "ada:x", "-H", "authorization: Bearer t"]).headers["Authorization"] == "Bearer t")
    }

    @Test func `Redirects are followed, printed with --no-follow, and counted`() async throws {
        let moved = "\(server.baseURL)/moved"
        #expect(try await ShellRun.pulse(["get", "-L", moved]).output == "ok")
        let shown = try await ShellRun.pulse(["get", "-i", "--no-follow", moved])
        #expect(shown.end == .exit(0))
        #expect(shown.output.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(shown.output.contains("Location: /echo\r\n"))
        let both = try await ShellRun.pulse(["get", "-i", moved]).output
        #expect(both.hasPrefix("HTTP/1.1 302 Found\r\n"))
        #expect(both.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(both.hasSuffix("\r\n\r\nok"))
        let loop = try await ShellRun.pulse(["get", "\(server.baseURL)/loop", "--max-redirects", "3"])
        #expect(loop.end == .exit(ExitCode.redirects))
        #expect(loop.errors.contains("more than 3 times"))
    }

    @Test func `The command of --curl sends the same request, and has no secrets unless they are wanted`() async throws {
        let arguments = [url, "-q", "a=b", "-u", "ada:hunter2", "--json", "a='\"$", "-H", "X-A: 1", "--curl"]
        let redacted = try await ShellRun.pulse(["get"] + arguments)
        #expect(redacted.end == .exit(0))
        #expect(redacted.output.hasPrefix("curl 'http://127.0.0.1"))
        #expect(redacted.output.contains("Authorization: ***"))
        #expect(server.recordedRequests.isEmpty)
        let line = try await ShellRun.pulse(["get"] + arguments + ["--show-secrets"]).output
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/curl") else { return }
        #expect(try await ShellRun.run(["/bin/sh", "-c"], [line]).output == "ok")
        let request = try #require(server.recordedRequests.last)
        #expect(request.body == Data(#"{"a":"'\"$"}"#.utf8))
        #expect(request.headers["Authorization"] == "Basic \(Data("ada:hunter2".utf8).base64EncodedString())")
        #expect(request.headers["User-Agent"] == "pulse/\(Streams.version)")
        let flags = try await ShellRun.pulse(["get", url, "--curl", "-k", "--cacert", "a'b"]).output
        #expect(flags.hasSuffix(" --insecure --cacert 'a'\\''b'\n"))
    }

    @Test func `A password is asked for without echo`() async throws {
        let session = try #require(try TerminalSession(["get", "-u", "ada", url], size: .init(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("Password of ada for 127.0.0.1:") })
        session.type("wrong\u{15}hunterä\u{7F}2\r")
        #expect(await session.child.end() == .exit(0))
        #expect(await session.wait { $0.text.contains("ok") })
        #expect(!session.picture.text.contains("hunter"))
        #expect(session.terminal.modes == session.modesBefore)
        #expect(server.recordedRequests.last?.headers["Authorization"] == "Basic \(Data("ada:hunter2".utf8).base64EncodedString())")
    }

    @Test(arguments: [SIGTERM, SIGHUP, nil])
    func `Ctrl-C, and a signal that terminates, leaves the question with the terminal restored`(signal: Int32?) async throws {
        let session = try #require(try TerminalSession(["get", "-u", "ada", url], size: .init(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("Password of") })
        if let signal { session.child.send(signal) } else { session.type("secret\u{03}") }
        #expect(await session.child.end() == signal.map { .signal($0) } ?? .exit(130))
        #expect(session.terminal.modes == session.modesBefore)
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `Without a terminal to ask on, a missing password is a usage error`() async throws {
        // A session of its own has no terminal.
        let result = try await ShellRun.run(["/usr/bin/env", "setsid", "-w", PulseBinary.path], ["get", "-u", "ada", url])
        #expect(result.end == .exit(ExitCode.usage))
        #expect(result.errors == "pulse: there is no terminal to ask for the password on: use -u NAME:PASSWORD\n")
    }
}
