import Foundation
import LoopbackServer
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("pulse download writes a file whole or not at all, and continues what was interrupted", .serialized, .countsResources, .stopsServers)
struct DownloadTests {
    let folder: TestFolder
    var target: URL { folder.url.appending(path: "file.bin") }
    var names: [String] { folder.names }

    init() throws {
        folder = try TestFolder()
    }

    static let size = 300_000
    static let body = LoopbackServer.Response.generatedBytes(0..<size)

    static func file(_ tag: String? = "\"1\"") -> LoopbackServer.Response {
        let response = LoopbackServer.Response.generated(bytes: size)
        return tag.map { response.header("ETag", $0) } ?? response
    }

    /// Runs it under a shell, in the folder.
    func run(_ arguments: [String], after preparation: String = ":") async throws -> ShellRun.Result {
        let script = "cd '\(folder.path)'; \(preparation); exec \"$0\" download \"$@\""
        return try await ShellRun.run(["/bin/sh"], ["-c", script, PulseBinary.path] + arguments)
    }

    func download(_ server: LoopbackServer, _ flags: String...) async throws -> ShellRun.Result {
        try await run(["\(server.baseURL)/file.bin", "-o", target.path] + flags)
    }

    @Test func `A file is complete under its name, and nothing is printed without a terminal`() async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() })
        let result = try await download(server)
        #expect(result == .quietSuccess)
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(names == ["file.bin"])
        #expect(try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `With -O the file is named like the end of the URL's path, decoded`() async throws {
        let server = try running(.get("/:name") { _ in Self.file() })
        #expect(try await run(["-O", "\(server.baseURL)/a%20b.bin?c=d"]).end == .exit(0))
        #expect(names == ["a b.bin"])
    }

    @Test func `Method, headers and data arrive as with get`() async throws {
        let server = try running(.any("/file.bin") { _ in .text("x") })
        #expect(try await download(server, "-X", "PUT", "-H", "X-Test: yes", "-d", #"{"a":1}"#).end == .exit(0))
        #expect(try await download(server, "--force", "-H", "Accept-Encoding: br").end == .exit(0))
        #expect(server.recordedRequests.last?.headers["Accept-Encoding"] == "br")
        let request = try #require(server.recordedRequests.first)
        #expect(request.method == "PUT")
        #expect(request.headers["X-Test"] == "yes")
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["User-Agent"]?.hasPrefix("pulse/") == true)
        #expect(request.headers["Accept-Encoding"] == "identity")
        #expect(request.body == Data(#"{"a":1}"#.utf8))
    }

    @Test(arguments: [
        LoopbackServer.Fault.close(at: .inBody(after: 100_000)), .reset(at: .inBody(after: 100_000)), .contentLength(size + 9),
    ])
    func `After a cut connection the same command requests the rest only`(fault: LoopbackServer.Fault) async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() }.resumable().with(fault, onCalls: [1]))
        let cut = try await download(server)
        #expect(cut.end == .exit(fault == .reset(at: .inBody(after: 100_000)) ? ExitCode.connectionLost : ExitCode.incompleteBody))
        #expect(cut.errors.count { $0 == "\n" } == 1)
        #expect(!names.contains("file.bin"))
        // A reset may discard what was not read yet.
        let part = (try? Data(contentsOf: folder.url.appending(path: "file.bin.part"))) ?? Data()
        #expect(Self.body.starts(with: part))
        #expect(cut.errors.hasSuffix(part.isEmpty ? "\n" : "; \(Wording.bytes(Int64(part.count))) are kept, the same command continues\n"))
        #expect(try await download(server) == .quietSuccess)
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(names == ["file.bin"])
        let request = try #require(server.recordedRequests.dropFirst().first)
        #expect(request.headers["Range"] == (part.isEmpty ? nil : "bytes=\(part.count)-"))
        #expect(request.headers["If-Range"] == (part.isEmpty ? nil : "\"1\""))
    }

    /// Leaves the unfinished file of a download that was cut after some bytes.
    func cut(_ server: LoopbackServer) async throws {
        #expect(try await download(server).end == .exit(ExitCode.incompleteBody))
        #expect(names == ["file.bin.part", "file.bin.part.origin"])
    }

    @Test func `A file that has changed since, or of another URL, begins anew`() async throws {
        let old = LoopbackServer.Response.text(String(repeating: "old", count: 50_000)).header("ETag", "\"0\"").with(
            .truncate(after: 100_000))
        let server = try running(
            .script("GET", "/file.bin", LoopbackServer.Script([old, Self.file(), old, Self.file("\"0\"")])).resumable(),
            .get("/other.bin") { _ in Self.file("\"0\"") }.resumable())
        try await cut(server)
        #expect(try await download(server).end == .exit(0))
        #expect(server.recordedRequests.last?.headers["If-Range"] == "\"0\"")
        #expect(try Data(contentsOf: target) == Self.body)
        try FileManager.default.removeItem(at: target)
        try await cut(server)
        #expect(try await run(["\(server.baseURL)/other.bin", "-o", target.path]).end == .exit(0))
        #expect(server.recordedRequests.last?.headers["Range"] == nil)
        #expect(try Data(contentsOf: target) == Self.body)
    }

    @Test(
        arguments: [
            (nil, [], "the response has no strong ETag and no Last-Modified"),
            ("W/\"1\"", [], "the response has no strong ETag and no Last-Modified"),
            ("\"1\"", ["-X", "POST"], "only a GET without a body is continued"),
            ("\"1\"", ["-d", "x"], "only a GET without a body is continued"),
        ] as [(String?, [String], String)])
    func `What cannot be continued is kept, the line says why, and the same command begins anew`(
        tag: String?, flags: [String], reason: String
    ) async throws {
        let server = try running(.any("/file.bin") { _ in Self.file(tag) }.with(.truncate(after: 100_000), onCalls: [1]))
        let arguments = ["\(server.baseURL)/file.bin", "-o", target.path] + flags
        let result = try await run(arguments)
        #expect(result.end == .exit(ExitCode.incompleteBody))
        #expect(result.errors.hasSuffix("; 100.0 kB are kept in file.bin.part, and the same command begins anew: \(reason)\n"))
        #expect(try Data(contentsOf: folder.url.appending(path: "file.bin.part")) == Self.body.prefix(100_000))
        #expect(try await run(arguments) == .quietSuccess)
        #expect(server.recordedRequests.map { $0.headers["Range"] } == [nil, nil])
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(names == ["file.bin"])
    }

    @Test func `What an earlier download has received stays until there is another response`() async throws {
        let server = try running(
            .get("/file.bin") { _ in Self.file(nil) }.with(.truncate(after: 100_000)),
            .get("/other.bin") { _ in .text("no", status: 503) })
        #expect(try await download(server).end == .exit(ExitCode.incompleteBody))
        let part = folder.url.appending(path: "file.bin.part")
        #expect(try await run(["http://127.0.0.1:1/file.bin", "-o", target.path]).end == .exit(ExitCode.noConnection))
        let failed = try await run(["\(server.baseURL)/other.bin", "-o", target.path])
        #expect(failed.end == .exit(ExitCode.serverError))
        #expect(!failed.errors.contains("kept"))
        #expect(try Data(contentsOf: part) == Self.body.prefix(100_000))
        #expect(try await download(server).end == .exit(ExitCode.incompleteBody))
        #expect(try Data(contentsOf: part) == Self.body.prefix(100_000))
    }

    @Test(arguments: [404, 503]) func `The body of an unsuccessful status is not written`(status: Int) async throws {
        let server = try running(.get("/file.bin") { _ in .text("no", status: status) })
        let result = try await download(server)
        #expect(result.end == .exit(status == 404 ? ExitCode.clientError : ExitCode.serverError))
        #expect(result.errors.hasPrefix("pulse: \(server.baseURL)/file.bin responded with \(status)"))
        #expect(result.errors.count { $0 == "\n" } == 1)
        #expect(names.isEmpty)
    }

    @Test func `An existing file is left as it is, unless --force replaces it with a complete one`() async throws {
        try Data("old".utf8).write(to: target)
        let server = try running(.get("/file.bin") { _ in Self.file() }.with(.close(at: .inBody(after: 9)), onCalls: [1]))
        let message = "pulse: The download cannot be written to \(target.path): it exists already (--force replaces it)\n"
        #expect(try await download(server) == .init(end: .exit(ExitCode.outputFailure), output: "", errors: message))
        #expect(server.recordedRequests.isEmpty)
        #expect(try await download(server, "--force").end == .exit(ExitCode.incompleteBody))
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        #expect(try await download(server, "--force").end == .exit(0))
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(names == ["file.bin"])
    }

    @Test func `A file that has appeared meanwhile is left as it is`() async throws {
        let server = try running(
            .get("/file.bin") { [target] _ in
                try? Data("other".utf8).write(to: target)
                return Self.file()
            })
        #expect(try await download(server).end == .exit(ExitCode.outputFailure))
        #expect(try Data(contentsOf: target) == Data("other".utf8))
        #expect(try await download(server, "--force").end == .exit(0))
        #expect(try Data(contentsOf: target) == Self.body)
    }

    @Test func `A file named like an unfinished one, but of somebody else, is left as it is`() async throws {
        let part = folder.url.appending(path: "file.bin.part")
        try Data("mine".utf8).write(to: part)
        let server = try running(.get("/file.bin") { _ in Self.file() })
        let result = try await download(server)
        #expect(result.end == .exit(ExitCode.outputFailure))
        #expect(result.errors.hasSuffix("file.bin.part is no unfinished download (--force replaces it)\n"))
        #expect(try Data(contentsOf: part) == Data("mine".utf8))
        #expect(try await download(server, "--force").end == .exit(0))
        #expect(try Data(contentsOf: target) == Self.body)
    }

    @Test func `A folder that is missing, or a target that is no file, is a line and exit code 3`() async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() })
        let url = "\(server.baseURL)/file.bin"
        let missing = try await run([url, "-o", "missing/file.bin"])
        #expect(missing.end == .exit(ExitCode.outputFailure))
        #expect(missing.errors.hasSuffix("missing/file.bin: No such file or directory\n"))
        let directory = try await run([url, "-o", ".", "--force"])
        #expect(directory.end == .exit(ExitCode.outputFailure))
        #expect(directory.errors.hasSuffix(": it exists and is not a file\n"))
        try FileManager.default.createSymbolicLink(atPath: target.path + ".part", withDestinationPath: folder.path + "/elsewhere")
        #expect(try await download(server).end == .exit(ExitCode.outputFailure))
        #expect(names == ["file.bin.part"])
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `A continued file says on a terminal what of it travelled`() async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() }.resumable().with(.truncate(after: 200_000), onCalls: [1]))
        let cut = try await download(server)
        #expect(cut.end == .exit(ExitCode.incompleteBody))
        let kept = Int64(try Data(contentsOf: URL(filePath: target.path + ".part")).count)
        let arguments = ["download", "\(server.baseURL)/file.bin", "-o", target.path]
        let session = try #require(try TerminalSession(arguments, size: Size(width: 80, height: 5)))
        let line = "file.bin  300.0 kB, \(Wording.bytes(300_000 - kept)) of them in "
        #expect(await session.wait { $0.text.contains(line) })
        #expect(await session.child.end() == .exit(0))
    }

    #if !THREAD_SANITIZER
        // The sanitizer's runtime takes the signal of the limit before the program can ignore it.
        @Test func `What does not fit on the disk is a line and exit code 23, and continues when there is room`() async throws {
            let server = try running(.get("/file.bin") { _ in Self.file() }.resumable())
            let full = try await run(["\(server.baseURL)/file.bin", "-o", target.path], after: "ulimit -f 64")
            #expect(full.end == .exit(ExitCode.outputFailure))
            #expect(full.errors.hasPrefix("pulse: The download cannot be written to \(target.path): File too large; "))
            #expect(names == ["file.bin.part", "file.bin.part.origin"])
            #expect(try await download(server) == .quietSuccess)
            #expect(try Data(contentsOf: target) == Self.body)
        }
    #endif

    @Test(arguments: [SIGINT, SIGTERM])
    func `Ctrl-C, and SIGTERM, keeps what cannot be continued, too, and says so`(signal: Int32) async throws {
        let server = try running(.get("/file.bin") { _ in Self.file(nil) }.with(.hang(at: .inBody(after: 100_000)), onCalls: [1]))
        let arguments = ["download", "\(server.baseURL)/file.bin", "-o", target.path]
        let session = try #require(try TerminalSession(arguments, size: .init(width: 150, height: 24)))
        #expect(await session.wait { $0.text.contains("file.bin  100.0 kB of 300.0 kB  33 %") })
        if signal == SIGINT { session.type("\u{03}") } else { session.child.send(signal) }
        #expect(await session.child.end() == .exit(ExitCode.signal(signal)))
        let line =
            "pulse: interrupted; 100.0 kB are kept in file.bin.part, and the same command begins anew: the response has no strong ETag"
        #expect(await session.wait { $0.text.contains(line) })
        #expect(try Data(contentsOf: folder.url.appending(path: "file.bin.part")) == Self.body.prefix(100_000))
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `Ctrl-C, and SIGTERM, removes the progress, and keeps what can be continued`(signal: Int32) async throws {
        let server = try running(
            .get("/file.bin") { _ in Self.file() }.resumable().with(.hang(at: .inBody(after: 100_000)), onCalls: [1]))
        let arguments = ["download", "\(server.baseURL)/file.bin", "-o", target.path]
        let session = try #require(try TerminalSession(arguments, size: .init(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("file.bin  100.0 kB of 300.0 kB  33 %") })
        let busy = try await download(server)
        #expect(busy.end == .exit(ExitCode.outputFailure))
        #expect(busy.errors == "pulse: The download cannot be written to \(target.path): another process is downloading it\n")
        if signal == SIGINT { session.type("\u{03}") } else { session.child.send(signal) }
        #expect(await session.child.end() == .exit(ExitCode.signal(signal)))
        #expect(await session.wait { $0.text.contains("pulse: interrupted; 100.0 kB are kept, the same command continues") })
        #expect(!session.picture.text.contains("33 %"))
        #expect(names == ["file.bin.part", "file.bin.part.origin"])
        let rest = try #require(try TerminalSession(arguments, size: .init(width: 80, height: 24)))
        #expect(await rest.child.end() == .exit(0))
        #expect(await rest.wait { $0.text.contains("file.bin  300.0 kB, 200.0 kB of them in ") })
        #expect(server.recordedRequests.last?.headers["Range"] == "bytes=100000-")
        #expect(try Data(contentsOf: target) == Self.body)
    }
}
