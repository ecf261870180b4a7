import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import pulse

@Suite("Sessions of pulse get", .serialized, .countsResources, .stopsServers)
struct SessionTests {
    private let folder: TestFolder
    private let server: LoopbackServer
    private var url: String { "\(server.baseURL)" }

    init() throws {
        folder = try TestFolder()
        server = try running(
            .any("/login") { _ in
                var response = LoopbackServer.Response.redirect(to: "/home", status: 302)
                response.headers.append("Set-Cookie", "id=SECRET; Path=/; HttpOnly")
                return response
            },
            .any("/*") { _ in .text("ok") })
    }

    private func get(_ arguments: String..., session: String = "me") async throws -> ShellRun.Result {
        try await ShellRun.pulse(["get"] + arguments + ["--session", session], environment: ["XDG_STATE_HOME": folder.path])
    }

    private func received(_ name: String) -> [String] { server.recordedRequests.map { $0.headers[name] ?? "-" } }

    @Test func `Cookies are kept between runs, within redirects too, and by their session`() async throws {
        #expect(try await get("\(url)/login").end == .exit(0))
        #expect(try await get("\(url)/page").end == .exit(0))
        #expect(try await get("\(url)/page", session: "other").end == .exit(0))
        #expect(try await ShellRun.pulse(["get", "\(url)/page"]).end == .exit(0))
        #expect(received("Cookie") == ["-", "id=SECRET", "id=SECRET", "-", "-"])
    }

    @Test func `Headers and credentials are kept for their host, until they are removed`() async throws {
        let other = try running(.any("/*") { _ in .text("ok") })
        #expect(try await get("\(url)/a", "X-A:b", "-u", "ada:pw", "Content-Type:text/x", "Cookie:c=1; d=2").end == .exit(0))
        #expect(try await get("\(url)/b").end == .exit(0))
        #expect(try await get("\(other.baseURL)/b").end == .exit(0))
        #expect(try await get("\(url)/c", "X-A:").end == .exit(0))
        #expect(try await get("\(url)/d", "-u", "bob:pw").end == .exit(0))
        #expect(received("X-A") == ["b", "b", "-", "-"])
        #expect(received("Content-Type").dropFirst() == ["-", "-", "-"])
        #expect(received("Cookie").dropFirst() == ["c=1; d=2", "c=1; d=2", "c=1; d=2"])
        #expect(received("Authorization") == Array(repeating: "Basic YWRhOnB3", count: 3) + ["Basic Ym9iOnB3"])
        let foreign = try #require(other.recordedRequests.first?.headers)
        #expect(foreign["X-A"] == nil && foreign["Authorization"] == nil)
    }

    @Test func `The files are for their owner only`() async throws {
        #expect(try await get("\(url)/login", "X-A:b").end == .exit(0))
        let session = folder.url.appending(path: "pulse/sessions/me")
        for (path, mode) in [("", 0o700), ("cookies", 0o600), ("headers.json", 0o600)] {
            let file = session.appending(path: path)
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `A file that cannot be read is named, and stays`() async throws {
        #expect(try await get("\(url)/login", "X-A:b").end == .exit(0))
        let session = folder.url.appending(path: "pulse/sessions/me")
        for (name, message) in [
            ("cookies", "Line 1 of \(session.path)/cookies is not a cookie"),
            ("headers.json", "\(session.path)/headers.json does not have the headers of a session"),
        ] {
            let file = session.appending(path: name)
            let old = try Data(contentsOf: file)
            try Data("{broken".utf8).write(to: file)
            let result = try await get("\(url)/page")
            #expect(result == .init(end: .exit(1), output: "", errors: "pulse: \(message)\n"))
            #expect(try Data(contentsOf: file) == Data("{broken".utf8))
            try old.write(to: file)
        }
        #expect(server.recordedRequests.count == 2)
    }

    @Test(arguments: ["../x", "a/b", "", ".hidden", "a b", "..", "\u{E9}", String(repeating: "a", count: 65)])
    func `A name is no path`(name: String) throws {
        let error = #expect(throws: UsageError.self) { try SessionName(name, command: "get") }
        #expect(error?.description.hasPrefix("pulse get: --session is a name of letters, digits, - and _, not ") == true)
    }

    @Test func `Neither -v nor --curl shows a cookie, and --curl keeps nothing`() async throws {
        #expect(try await get("\(url)/login").end == .exit(0))
        let verbose = try await get("\(url)/page", "-v")
        #expect(verbose.errors.contains("Cookie: ***") && !verbose.errors.contains("SECRET"))
        let line = try await get("\(url)/page", "--curl", "X-A:b")
        #expect(line.output.contains("Cookie: ***") && !line.output.contains("SECRET"))
        let headers = folder.url.appending(path: "pulse/sessions/me/headers.json")
        #expect(try !String(contentsOf: headers, encoding: .utf8).contains("X-A"))
    }

    @Test func `A session that cannot be written is an error after the response`() async throws {
        let parent = folder.url.appending(path: "pulse")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: parent.appending(path: "sessions").path, withDestinationPath: "/no/folder")
        let result = try await get("\(url)/x")
        #expect(result.output == "ok" && result.end == .exit(ExitCode.outputFailure))
        #expect(result.errors.contains("headers.json cannot be written"))
    }

    @Test func `Name and password come from a file on request`() async throws {
        let netrc = try folder.file("netrc", "machine 127.0.0.1 login ada password pw\n")
        #expect(try await ShellRun.pulse(["get", "\(url)/a", "--netrc-file", netrc]).end == .exit(0))
        #expect(try await ShellRun.pulse(["get", "\(url)/a", "--netrc-file", netrc, "-u", "bob:pw"]).end == .exit(0))
        #expect(try await ShellRun.pulse(["get", "\(url)/a"], environment: ["HOME": folder.path]).end == .exit(0))
        let missing = try await ShellRun.pulse(["get", "\(url)/a", "-n"], environment: ["HOME": folder.path])
        #expect(missing == .init(end: .exit(2), output: "", errors: "pulse: \(folder.path)/.netrc cannot be read\n"))
        #expect(received("Authorization") == ["Basic YWRhOnB3", "Basic Ym9iOnB3", "-"])
    }
}
