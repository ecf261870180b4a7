import Foundation
import LoopbackServer
import NetNodes
import Testing

@testable import pulse

/// Responses that continue a file, and those that do not.
extension DownloadTests {
    /// Leaves the unfinished file of a download that was interrupted before it got its name.
    private func leave(_ part: Data, of server: LoopbackServer, total: Int?) throws {
        let url = try #require(URL(string: "\(server.baseURL)/file.bin"))
        let headers = [("ETag", "\"1\"")] + (total.map { [("Content-Length", "\($0)")] } ?? [])
        let head = HTTPResponse.Head(status: 200, headers: HTTPHeaders(headers.map { HTTPHeaders.Field(name: $0, value: $1) }), url: url)
        try part.write(to: folder.url.appending(path: "file.bin.part"))
        try PartOrigin(head, requested: url).write(beside: target.path + ".part", for: target)
    }

    private var part: URL { folder.url.appending(path: "file.bin.part") }
    private var origin: URL { folder.url.appending(path: "file.bin.part.origin") }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func `The unfinished file of another user is left as it is, even with --force`() async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() }.resumable())
        try leave(Self.body.prefix(100_000), of: server, total: Self.size)
        #expect(chown(part.path, 12_345, 12_345) == 0)
        for flags in [[], ["--force"]] {
            let result = try await run(["\(server.baseURL)/file.bin", "-o", target.path] + flags)
            #expect(result.end == .exit(ExitCode.outputFailure))
            #expect(result.errors.hasSuffix("file.bin.part belongs to another user\n"))
        }
        #expect(server.recordedRequests.isEmpty)
        #expect(try Data(contentsOf: part) == Self.body.prefix(100_000))
    }

    @Test(arguments: ["readable", "a link", "a folder"])
    func `An origin that is no private file is not believed`(kind: String) async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() }.resumable())
        try leave(Self.body.prefix(100_000), of: server, total: Self.size)
        let elsewhere = folder.url.appending(path: "elsewhere")
        switch kind {
        case "readable": #expect(chmod(origin.path, 0o644) == 0)
        case "a link":
            try FileManager.default.moveItem(at: origin, to: elsewhere)
            try FileManager.default.createSymbolicLink(at: origin, withDestinationURL: elsewhere)
        default:
            try FileManager.default.removeItem(at: origin)
            try FileManager.default.createDirectory(at: origin, withIntermediateDirectories: false)
        }
        let result = try await download(server)
        #expect(result.end == .exit(ExitCode.outputFailure))
        #expect(result.errors.hasSuffix("file.bin.part is no unfinished download (--force replaces it)\n"))
        #expect(server.recordedRequests.isEmpty)
    }

    @Test func `The origin of a part is private, and two of the same URL have nothing in common but the version`() async throws {
        let server = try running(.get("/file.bin") { _ in Self.file() }.resumable())
        let texts = try (0..<2).map { _ in
            try leave(Self.body.prefix(100_000), of: server, total: Self.size)
            return try String(contentsOf: origin, encoding: .utf8).split(separator: "\n")
        }
        #expect(try FileManager.default.attributesOfItem(atPath: origin.path)[.posixPermissions] as? Int == 0o600)
        #expect(Set(texts[0][0].split(separator: " ")).isDisjoint(with: texts[1][0].split(separator: " ")))
        #expect(texts[0][1...] == texts[1][1...])
        #expect(try await download(server) == .quietSuccess)
        #expect(server.recordedRequests.map { $0.headers["Range"] } == ["bytes=100000-"])
        #expect(try Data(contentsOf: target) == Self.body)
    }

    @Test(arguments: ["ETag": "\"a\rb\"", "Last-Modified": "Sun, 06\rNov"])
    func `A version that no request can name cannot be continued`(name: String, version: String) throws {
        let url = try #require(URL(string: "http://localhost/file.bin"))
        let head = HTTPResponse.Head(status: 200, headers: HTTPHeaders([HTTPHeaders.Field(name: name, value: version)]), url: url)
        #expect(PartOrigin(head, requested: url).validator == nil)
    }

    private static let complete: [(Int?, String?)] = [(size, nil), (size, "\"1\""), (nil, "\"1\"")]

    @Test(arguments: complete)
    func `A part that is complete already gets its name`(total: Int?, tag: String?) async throws {
        let end = LoopbackServer.Response.empty(416).header("Content-Range", "bytes */\(Self.size)")
        let server = try running(.get("/file.bin") { _ in tag.map { end.header("ETag", $0) } ?? end })
        try leave(Self.body, of: server, total: total)
        #expect(try await download(server) == .quietSuccess)
        #expect(try Data(contentsOf: target) == Self.body)
        #expect(names == ["file.bin"])
    }

    private static let others: [(Int?, Int, String?)] = [
        (1_000, size, "\"1\""), (nil, size, nil), (nil, size, "\"2\""), (size, 10, "\"1\""),
    ]

    @Test(arguments: others)
    func `A part that is as long as another file begins anew`(total: Int?, now: Int, tag: String?) async throws {
        let end = LoopbackServer.Response.empty(416).header("Content-Range", "bytes */\(now)")
        let whole = LoopbackServer.Response.text("new").header("ETag", "\"2\"")
        let server = try running(.script("GET", "/file.bin", LoopbackServer.Script([tag.map { end.header("ETag", $0) } ?? end, whole])))
        try leave(Self.body, of: server, total: total)
        #expect(try await download(server) == .quietSuccess)
        #expect(try Data(contentsOf: target) == Data("new".utf8))
    }

    private static let versions: [(old: [String: String], new: [String: String], total: Int)] = [
        (["ETag": "\"1\""], ["ETag": "\"2\""], size), (["ETag": "\"1\""], ["ETag": "W/\"1\""], size), (["ETag": "\"1\""], [:], size),
        (["ETag": "\"1\""], ["ETag": "\"1\""], size + 1),
        (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], ["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], size),
        (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], [:], size + 1),
    ]

    @Test(arguments: versions)
    func `A part of another version, from a server that ignores If-Range, is discarded, and the download begins anew`(
        old: [String: String], new: [String: String], total: Int
    ) async throws {
        let first = old.reduce(Self.file(nil).with(.truncate(after: 100_000))) { $0.header($1.key, $1.value) }
        let part = new.reduce(LoopbackServer.Response.text(String(repeating: "x", count: total - 100_000), status: 206)) {
            $0.header($1.key, $1.value)
        }
        .header("Content-Range", "bytes 100000-\(total - 1)/\(total)")
        let server = try running(.script("GET", "/file.bin", LoopbackServer.Script([first, part, .text("new")])))
        try await cut(server)
        #expect(try await download(server) == .quietSuccess)
        #expect(server.recordedRequests.map { $0.headers["Range"] } == [nil, "bytes=100000-", nil])
        #expect(try Data(contentsOf: target) == Data("new".utf8))
        #expect(names == ["file.bin"])
    }

    @Test func `A part need not repeat the Last-Modified that was asked for`() async throws {
        let first = Self.file(nil).header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT").with(.truncate(after: 100_000))
        let part = LoopbackServer.Response.text(String(repeating: "x", count: 200_000), status: 206)
            .header("Content-Range", "bytes 100000-299999/300000")
        let server = try running(.script("GET", "/file.bin", LoopbackServer.Script([first, part])))
        try await cut(server)
        #expect(try await download(server) == .quietSuccess)
        #expect(try Data(contentsOf: target) == Self.body[..<100_000] + Data(String(repeating: "x", count: 200_000).utf8))
    }

    @Test func `A part that is longer than the file is not kept`() async throws {
        let part = LoopbackServer.Response.text(String(repeating: "x", count: 200_001), status: 206).header("ETag", "\"1\"")
            .header("Content-Range", "bytes 100000-299999/300000")
        let server = try running(.script("GET", "/file.bin", LoopbackServer.Script([Self.file().with(.truncate(after: 100_000)), part])))
        try await cut(server)
        let result = try await download(server)
        #expect(result.end == .exit(ExitCode.wrongPart))
        #expect(result.errors == "pulse: The response of \(server.baseURL)/file.bin has 300001 bytes instead of 300000\n")
        #expect(names.isEmpty)
    }

    @Test(arguments: ["bytes 5-9/300000", "bytes", nil])
    func `A part that the server makes up is refused and not kept`(range: String?) async throws {
        let part = LoopbackServer.Response.text("12345", status: 206)
        let server = try running(
            .script(
                "GET", "/file.bin",
                LoopbackServer.Script([Self.file().with(.truncate(after: 100_000)), range.map { part.header("Content-Range", $0) } ?? part])
            ))
        try await cut(server)
        let result = try await download(server)
        #expect(result.end == .exit(ExitCode.wrongPart))
        #expect(result.errors == "pulse: The response of \(server.baseURL)/file.bin is not the requested part\n")
        #expect(names.isEmpty)
    }
}
