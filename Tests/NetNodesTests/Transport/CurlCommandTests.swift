import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Request as a curl command", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct CurlCommandTests {
    private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

    private func request(_ url: String, _ method: HTTPRequest.Method = .get, _ headers: HTTPHeaders = [:], _ body: HTTPRequest.Body = .none)
        throws
        -> HTTPRequest
    {
        HTTPRequest(method, try url.url(), headers: headers, body: body)
    }

    @Test func `A command is readable and redacted`() throws {
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
        #expect(control.curl.contains("-H \"$(printf 'X: a\\033[2Jb')\""))
    }

    @Test(.enabled(if: hasCurl, "curl is not installed")) func `Running the command in a shell sends the request`() throws {
        let server = try running(.any("/a") { _ in .text("x") })
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
        for (request, shell) in requests.flatMap({ request in ["/bin/sh", "/bin/bash"].map { (request, $0) } }) {
            _ = CurlTransport().response(to: request).ended()
            try run(request.curlRevealingSecrets, in: shell)
            let seen = server.recordedRequests.suffix(2)
            let (ours, theirs) = (try #require(seen.first), try #require(seen.last))
            #expect(theirs.number == ours.number + 1, "\(request.curlRevealingSecrets)")
            #expect(theirs.method == ours.method && theirs.target == ours.target && theirs.body == ours.body)
            for name in ["X", "X-Empty", "Content-Type"] { #expect(theirs.headers[name] == ours.headers[name]) }
        }
    }

    @Test(.enabled(if: hasCurl, "curl is not installed")) func `Nothing in a request is executed by a shell, nor read by curl`() throws {
        let server = try running(.any("/*") { _ in .text("x") })
        let directory = TemporaryDirectory()
        let trap = directory.url.appending(path: "trap").path
        let evil = [
            "'; touch \(trap); '", "\\'; touch \(trap); #", "$(touch \(trap))", "`touch \(trap)`", "\"; touch \(trap); \"", "!!",
            "\n touch \(trap)\n",
            "\u{1B}\\'; touch \(trap); #", "\t$(touch \(trap))\u{7F}", "%s%n\\041\\n", "-x", "@/etc/hostname", "\u{202E}\u{9B}31m",
            (1...0x7F).map { String(UnicodeScalar(UInt8($0))) }.joined(),
        ]
        for text in evil {
            let value = String(text.unicodeScalars.filter { $0 == "\t" || !(..<" " ~= $0) && $0 != "\u{7F}" }.map(Character.init))
            let request = HTTPRequest(
                .post, try "\(server.baseURL)/[a]{b}?x=%27".url(), headers: ["X-Evil": value, "Content-Type": "text/plain"],
                body: .data(Data(text.utf8)))
            for shell in ["/bin/sh", "/bin/bash"] {
                try run(request.curlRevealingSecrets, in: shell)
                #expect(server.recordedRequests.last?.body == Data(text.utf8), "\(shell): \(request.curlRevealingSecrets)")
                server.forgetRequests()
                try run(request.curl, in: shell)
                #expect(!FileManager.default.fileExists(atPath: trap), "\(shell): \(request.curl)")
                #expect(!request.curl.replacing("\n", with: "").unicodeScalars.contains { $0.properties.generalCategory == .control })
                server.forgetRequests()
            }
        }
    }

    @Test func `An invalid request is neither an option of curl nor a file that it reads`() throws {
        let url = try #require(URL(string: "-o/etc/passwd"))
        let request = HTTPRequest(.get, url, headers: ["@/etc/hostname": "x", "X": "a\r\nY: b", "Z": "c"])
        #expect(request.curlRevealingSecrets.hasPrefix("curl --url '-o/etc/passwd'"))
        #expect(!request.curl.contains("hostname") && !request.curl.contains("Y: b") && request.curl.contains("'Z: c'"))
    }

    @Test func `No body reveals a secret, and a binary body is shown as its length`() throws {
        let secret = "t0ps3cret"
        let directory = TemporaryDirectory()
        let file = try directory.file("photo", Data([1, 2]))
        let form = try MultipartForm([.field("password", secret), .file("f", file), .field("note", "n0te")]).encoded(.automatic)
        let bad = Data("{\"token\": \"\(secret)\"}".utf8) + [0xFF]
        let bodies: [(HTTPRequest.Body, String)] = [
            (.data(bad), "'(\(bad.count) bytes)'"), (.data(Data("a=\0&password=\(secret)".utf8)), " bytes)'"),
            (.data(Data("{\"credentials\": {\"id\": \"\(secret)\"}}".utf8)), "{\"credentials\": {\"id\": \"***\"}}"),
            (.data(Data("{\"refresh_tokens\": [\"\(secret)\"]}\n".utf8)), "\\\"***\\\""), (form.body, "cat '\(file.path)'"),
            (form.body, "n0te"),
            (.file(file), "--data-binary '@\(file.path)'"),
            (.pieces([.data(Data("--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n".utf8)), .file(file)]), "***"),
        ]
        for (body, words) in bodies {
            let request = HTTPRequest(.post, try "http://h/".url(), headers: ["Content-Type": form.contentType ?? ""], body: body)
            let shown = request.curl
            #expect(!shown.contains(secret) && !shown.contains(Data(secret.utf8).base64EncodedString().prefix(8)), "\(shown)")
            #expect(shown.contains(words) || shown.contains(words.replacing("\\\"", with: "\\042")), "\(shown)")
        }
    }

    private func run(_ command: String, in shell: String) throws {
        try ForeignProgram.run(shell, ["-c", command])
    }
}
