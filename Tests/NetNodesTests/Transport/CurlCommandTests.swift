import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Request as a curl command", .countsResources)
struct CurlCommandTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private func request(_ url: String, _ method: HTTPMethod = .get, _ headers: HTTPHeaders = [:], _ body: HTTPRequest.Body = .none) throws
        -> HTTPRequest
    {
        HTTPRequest(method, try url.url(), headers: headers, body: body)
    }

    @Test("a command reads as a person would write it, without secrets")
    func words() throws {
        let plain = try request("http://h/a?x=it's", .get, ["Accept": "*/*"])
        #expect(
            plain.curl == "curl 'http://h/a?x=it'\\''s' -H 'Accept: */*' --location --max-redirs 10 --compressed --connect-timeout 15.0")
        let secret = try request(
            "http://bob:passw0rd@h/?token=t0ken0", .post, ["Authorization": "Bearer t0ps3cret"],
            .data(Data("{\"password\":\"hunter2222\",\"name\":\"t0ps3cret\"}".utf8)))
        for word in ["passw0rd", "t0ken0", "t0ps3cret", "hunter2222"] {
            #expect(!secret.curl.contains(word))
            #expect(secret.curlRevealingSecrets.contains(word))
        }
        let control = try request("http://h/", .get, ["X": "a\u{1B}[2Jb"])
        #expect(control.curl.contains("-H $'X: a\\x1b[2Jb'"))
    }

    @Test("a shell that runs the command sends the request", .enabled(if: hasCurl, "curl is not installed"))
    func runs() throws {
        let server = LoopbackServer(routes: [.any("/a") { _ in .text("x") }])
        try server.start()
        defer { server.stop() }
        let directory = TemporaryDirectory()
        let file = try directory.file("it's a file", Data([1, 0, 2]))
        let url = "\(server.baseURL)/a?x=1%20it's&y=2"
        let form = try MultipartForm([.field("a", "b\n'"), .file("f", file)]).encoded(.automatic)
        let requests = [
            try request(url), try request(url, .head), try request(url, .delete, ["X-Empty": "", "X": "a'b\\"]),
            try request(url, .post, [:], .data(Data("@it's\n$HOME `ls` \u{7}é".utf8))),
            try request(url, .put, ["Content-Type": "a/b"], .data(Data([0, 255, 10]))), try request(url, .put, [:], .file(file)),
            try request(url, .post, ["Content-Type": form.contentType ?? ""], form.body),
        ]
        for request in requests {
            _ = CurlTransport().response(to: request).ended()
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/bash")
            process.arguments = ["-c", request.curlRevealingSecrets]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            let seen = server.recordedRequests.suffix(2)
            let (ours, theirs) = (try #require(seen.first), try #require(seen.last))
            #expect(theirs.number == ours.number + 1, "\(request.curlRevealingSecrets)")
            #expect(theirs.method == ours.method && theirs.target == ours.target && theirs.body == ours.body)
            for name in ["X", "X-Empty", "Content-Type"] { #expect(theirs.headers[name] == ours.headers[name]) }
        }
    }
}
