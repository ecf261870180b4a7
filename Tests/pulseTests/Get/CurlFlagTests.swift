import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import pulse

@Suite("The flags that people know from curl", .serialized, .countsResources, .stopsServers)
struct CurlFlagTests {
    private let server: LoopbackServer
    private var url: String { "\(server.baseURL)" }

    init() throws {
        server = try running(
            .any("/echo") { _ in .text("ok") }, .get("/no") { _ in .text("no", status: 404) },
            .get("/json") { _ in .json(text: #"{"a":"b"}"#) },
            .get("/moved") { _ in .redirect(to: "/echo", status: 302) })
    }

    private func get(_ arguments: String..., environment: [String: String] = [:]) async throws -> ShellRun.Result {
        try await ShellRun.pulse(["get"] + arguments, environment: environment)
    }

    @Test func `--write-out prints the variables of curl after the body`() async throws {
        let text = try await get(
            "\(url)/moved", "-w",
            #"\n%{http_code} %{response_code} %{num_redirects} %{size_download} %{content_type}\t%{method}%%\\%{exitcode}"#)
        #expect(text.output == "ok\n200 200 1 2 text/plain; charset=utf-8\tGET%\\0")
        let addresses = try await get("\(url)/moved", "-w", "|%{url} %{url_effective} %{scheme} %{remote_ip} %{http_version}")
        #expect(addresses.output == "ok|\(url)/moved \(url)/echo http 127.0.0.1 1.1")
        let unfollowed = try await get("\(url)/moved", "--no-follow", "-s", "-w", "%{redirect_url} %header{location}")
        #expect(unfollowed.output.hasSuffix("\(url)/echo /echo"))
        let times = try await get("\(url)/echo", "-w", "|%{time_namelookup} %{time_connect} %{time_starttransfer} %{time_total}").output
        #expect(times.wholeMatch(of: /ok\|(\d+\.\d{6}( |$)){4}/) != nil)
    }

    @Test func `--write-out says something of a failure too, and where the body goes elsewhere`() async throws {
        #expect(try await get("\(url)/no", "-o", "/dev/null", "-w", "%{http_code}").output == "404")
        #expect(try await get("\(url)/no", "-f", "-w", "%{http_code} %{exitcode}").output == "404 22")
        let folder = try TestFolder()
        let file = try await get("\(url)/echo", "-o", "\(folder.path)/a", "-w", "%{http_code} %{size_download}")
        #expect(file == .init(end: .exit(0), output: "200 2", errors: ""))
        let port = try #require(URL(string: url)?.port)
        server.stop()
        let refused = try await get("http://127.0.0.1:\(port)/", "-w", "%{http_code} %{errormsg}\n")
        #expect(refused.output == "000 Could not connect to http://127.0.0.1:\(port)/: Connection refused\n")
        #expect(refused.end == .exit(ExitCode.noConnection))
    }

    @Test func `Several URLs are requested in turn, and the exit code is that of a failure`() async throws {
        let both = try await get("\(url)/echo", "\(url)/no", "\(url)/echo", "-w", "\n")
        #expect(both.output == "ok\nno\nok\n")
        #expect(both.end == .exit(ExitCode.clientError))
        #expect(try await get("\(url)/echo", "\(url)/moved").end == .exit(0))
        let folder = try TestFolder()
        let words = ["-c", "cd '\(folder.path)'; exec \"$0\" get -O \"$1\" \"$2\"", PulseBinary.path, "\(url)/echo", "\(url)/moved"]
        #expect(try await ShellRun.run(["/bin/sh"], words) == .quietSuccess)
        #expect(folder.names == ["echo", "moved"])
    }

    @Test func `A host's address can be given, and addresses of one version of the protocol`() async throws {
        let port = try #require(URL(string: url)?.port)
        let (address, resolution) = ("http://host.invalid:\(port)/echo", "host.invalid:\(port):127.0.0.1")
        let environment = ["no_proxy": "*"]
        #expect(try await get(address, "--resolve", resolution, environment: environment).output == "ok")
        #expect(try await get(address, "--resolve", resolution, "-4", environment: environment).output == "ok")
        #expect(try await get(address, "--resolve", resolution, "-6", environment: environment).end != .exit(0))
        let wrongVersion = try await get("http://127.0.0.1:\(port)/echo", "-6")
        #expect(wrongVersion.end != .exit(0))
        #expect(wrongVersion.errors.matches(of: /connect to/).count <= 1)
    }

    @Test func `A proxy is used, for loopback addresses too, and never the environment's if it is empty`() async throws {
        let proxy = try running(.any("/elsewhere") { request in .text(request.target) })
        let target = "http://host.invalid/elsewhere"
        let through = try await get(target, "-x", "\(proxy.baseURL)", environment: ["no_proxy": ""])
        #expect(through.output.hasSuffix("/elsewhere") && through.end == .exit(0))
        #expect(proxy.recordedRequests.count == 1)
        #expect(try await get("\(url)/elsewhere", "-x", "\(proxy.baseURL)", environment: ["no_proxy": ""]).end == .exit(0))
        #expect(proxy.recordedRequests.count == 2)
        let environment = ["http_proxy": "\(proxy.baseURL)", "no_proxy": ""]
        #expect(try await get(target, "-x", "", environment: environment).end == .exit(ExitCode.unknownHost))
        #expect(proxy.recordedRequests.count == 2)
    }

    @Test(.enabled(if: SecurePythonServer.isAvailable)) func `HTTP/2 is not offered with --http1.1`() async throws {
        let server = try await SecurePythonServer()
        let offers = { (lines: String) in lines.split(separator: "\n").first { $0.contains("ALPN") && $0.contains("offer") } ?? "" }
        #expect(try await offers(get("-v", "-k", "\(server.url)/").errors).contains("h2"))
        #expect(try await !offers(get("-v", "-k", "--http1.1", "\(server.url)/").errors).contains("h2"))
        await server.stop()
    }

    @Test func `Colors and layout can be had in a pipe, where a pager passes them on, and nowhere`() async throws {
        let colored = try await get("\(url)/json", "-i", "--color", "always", environment: ["NO_COLOR": "1"]).output
        #expect(colored.contains("\u{1B}[2mHTTP/1.1\u{1B}[m"))
        #expect(colored.contains("{\n  \u{1B}[36m\"a\"\u{1B}[m: "))
        #expect(try await get("\(url)/json", "--color", "never", "--pretty").output == "{\n  \"a\": \"b\"\n}\n")
    }

    @Test func `The bytes of --raw are those that were received, on a terminal too`() async throws {
        let server = try running(.get("/x") { _ in .text("a\u{1B}[1mb\u{7}") })
        let session = try #require(try TerminalSession(["get", "--raw", "\(server.baseURL)/x"], size: .init(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("ab") })
        #expect(await session.child.end() == .exit(0))
    }

    @Test func `A header without a value is not sent, and one with a semicolon is empty`() async throws {
        let result = try await get(
            "\(url)/echo", "-H", "Accept:", "-H", "user-agent:", "-H", "X-Empty;", "--json", "a=b", "-H", "Content-Type:")
        #expect(result.output == "ok")
        let headers = try #require(server.recordedRequests.last?.headers)
        #expect(headers["Accept"] == nil && headers["User-Agent"] == nil && headers["Content-Type"] == nil)
        #expect(headers["X-Empty"] == "")
        #expect(headers["Accept-Encoding"] != nil)
        let line = try await get(
            "\(url)/echo", "-H", "Accept:", "--resolve", "h:1:::1", "-x", "http://u:hunter2@p", "-4", "--http1.1", "--curl")
        #expect(line.output.hasSuffix(" --ipv4 --http1.1 --proxy 'http://p' --resolve 'h:1:[::1]' --header 'Accept:'\n"))
    }

    @Test func `A body that cannot be read has the exit code of curl, and its file is named`() async throws {
        let missing = try await get("\(url)/echo", "-d", "@/no/file")
        #expect(missing.end == .exit(ExitCode.unreadableBody))
        #expect(missing.errors == "pulse: The file /no/file cannot be sent: No such file or directory\n")
        let closed = try await ShellRun.run(["/bin/sh"], ["-c", "exec \"$0\" get -d - \"$1\" <&-", PulseBinary.path, "\(url)/echo"])
        #expect(closed.end == .exit(ExitCode.unreadableBody))
        #expect(closed.errors == "pulse: The file /dev/stdin cannot be sent: Bad file descriptor\n")
        #expect(server.recordedRequests.isEmpty)
    }
}
