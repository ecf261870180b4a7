import Foundation
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("Lines of curl and items of httpie", .countsResources)
struct RequestItemTests {
    private func request(_ words: String...) throws -> RequestOptions {
        try request(words)
    }

    private func request(_ words: [String]) throws -> RequestOptions {
        guard case .get(let options) = try Invocation(parsing: ["get"] + words) else { throw UsageError("no get") }
        return options.request
    }

    @Test(
        arguments: [
            ("name=Ada", "--json", "name=Ada"), ("admin:=true", "--json", "admin:=true"), ("a.b=c", "--json", "a.b=c"),
            ("page==2", "--query", "page=2"), ("q==a=b", "--query", "q=a=b"), ("q==", "--query", "q="),
            ("X-Trace:7a", "--header", "X-Trace:7a"), ("Accept:", "--header", "Accept:"), ("X-A:b:80/c", "--header", "X-A:b:80/c"),
            ("Depth:1", "--header", "Depth:1"), ("X-Id:80/x", "--header", "X-Id:80/x"), ("x-id:80x", "--header", "x-id:80x"),
            ("name=http://h/?a=b", "--json", "name=http://h/?a=b"), ("url==http://h/", "--query", "url=http://h/"),
        ])
    func `A word with a sign is an item`(word: String, flag: String, value: String) {
        #expect(RequestItem(word).map { [$0.flag, $0.value] } == [flag, value])
    }

    @Test(
        arguments: [
            "http://h/?a=b", "https://h/a:=b", "h.example/?a=b", "h/a=b", "localhost:8080", "localhost:8080/a=b", "localhost:8080?a=b",
            "h:80#a=b", "[::1]:80/a=b", "h?a==b", "user:pw@h/", "user:8080@h", "User:8080@h", "my-host:80", "u@h/?a=b", "HTTP://h:1",
            "plain", "a/b:c", "=x", ":=x", "",
        ])
    func `What is or could be a URL is none`(word: String) {
        #expect(RequestItem(word) == nil)
    }

    @Test func `Items are members of a body, parts of a query, and headers`() throws {
        let request = try request("h.example/x?a=1", "name=Ada", "n:=[1]", "page==2 3", "X-A:b", "Accept:", "-H", "X-B: c")
        #expect(request.url.absoluteString == "http://h.example/x?a=1&page=2%203")
        #expect(request.method == "POST")
        #expect(request.content == .pieces([.text(#"{"name":"Ada","n":[1]}"#)], type: "application/json"))
        let headers = ["X-B: c", "X-A: b", "Accept: "]
        #expect(request.headers.map { "\($0.name): \($0.value ?? "")" } == headers)
        let two = try Invocation(parsing: ["get", "localhost:80", "localhost:81/x"])
        guard case .each(let commands) = two else { throw UsageError("one command") }
        #expect(commands.count == 2)
    }

    @Test func `A line that a browser copies is a request`() throws {
        let line = [
            "curl", "https://shop.example/api?q=1", "-X", "PUT", "-H", "accept: */*", "-H", "content-type: application/json", "-b",
            "id=1; theme=dark", "-A", "Mozilla/5.0 (X11)", "-e", "https://shop.example/", "--data-raw", #"@{"a":1}"#, "--compressed",
            "--insecure", "-s", "-L", "--http2", "--max-redirs", "3",
        ]
        let request = try request(line)
        #expect(request.url.absoluteString == "https://shop.example/api?q=1" && request.method == "PUT")
        #expect(request.content == .pieces([.text(#"@{"a":1}"#)], type: "application/x-www-form-urlencoded"))
        #expect(!request.security.verifiesServer && request.redirects == .follow(limit: 3))
        let headers = request.headers.map { "\($0.name): \($0.value ?? "")" }
        let expected = [
            "accept: */*", "content-type: application/json", "User-Agent: Mozilla/5.0 (X11)", "Referer: https://shop.example/",
            "Cookie: id=1; theme=dark",
        ]
        #expect(headers == expected)
    }

    @Test func `Data of all kinds is joined in its order`() throws {
        let request = try request(
            "--url", "http://h/", "--data-urlencode", "a=b c", "--data-raw", "@x", "-d", "d=1", "--data-binary", "e=2")
        let texts = ["a=b%20c", "&", "@x", "&", "d=1", "&", "e=2"]
        #expect(request.content == .pieces(texts.map { .text($0) }, type: "application/x-www-form-urlencoded"))
        #expect(request.url.absoluteString == "http://h/")
    }

    /// What `--curl` prints is understood, and is the same request.
    @Test(
        arguments: [
            ["http://h/x?a=b", "-H", "X-A: it's", "-d", "a=b"], ["http://h/", "-I"], ["http://h/", "-X", "DELETE", "--max-redirects", "2"],
            ["http://h/[1]", "--json", "a=b", "-k", "-4", "--http1.1", "--max-time", "5"], ["http://h/", "-d", "@/etc/hostname"],
            ["http://h/", "-T", "/etc/hostname"], ["http://h/?a=1", "-G", "-d", "b=2"], ["https://h/", "--tlsv1.2", "-r", "0-9"],
            ["POST", "http://h/", "a=b"],
        ])
    func `The line of --curl is taken back`(words: [String]) async throws {
        let line = try await ShellRun.pulse(["get", "--curl", "--show-secrets"] + words)
        #expect(line.output.hasPrefix("curl "))
        let again = try await ShellRun.run(
            ["/bin/sh"], ["-c", "exec \"$0\" get --curl --show-secrets \(line.output.dropFirst("curl ".count))", PulseBinary.path])
        #expect(again == line)
    }
}

@Suite("Names and passwords of .netrc", .countsResources)
struct NetrcTests {
    private let netrc = """
        # a comment
        machine a.example login ada password "a \\"b\\" c"
        machine b.example
          login bob
          account x
          password
        secret
        macdef init
        machine c.example login eve password no

        machine c.example login carol
        machine nobody.example password p
        default login anonymous password guest
        """

    @Test(
        arguments: [
            ("a.example", "ada", "a \"b\" c"), ("A.Example", "ada", "a \"b\" c"), ("b.example", "bob", "secret"),
            ("c.example", "carol", ""), ("nobody.example", "anonymous", "guest"), ("other", "anonymous", "guest"),
        ])
    func `A host has its entry, and others the default`(host: String, name: String, password: String) throws {
        let credentials = try Netrc(parsing: netrc).credentials(of: host)
        #expect(credentials == RequestOptions.Credentials(name: name, password: password))
    }

    @Test func `Without an entry there are no credentials`() throws {
        #expect(try Netrc(parsing: "machine a login b password c").credentials(of: "x") == nil)
        #expect(try Netrc(parsing: "").credentials(of: "x") == nil)
    }

    @Test(
        arguments: [
            ("login a", "pulse: f has login before its first machine"), ("machine", "pulse: f ends after the word machine"),
            ("machine a login b password", "pulse: f ends after the word password"),
            ("machine a login b pasword SECRET", "pulse: f has a word that is none of .netrc, after 1 entries"),
        ])
    func `A fault is told without a value`(text: String, message: String) {
        let error = #expect(throws: UsageError.self) { try Netrc(parsing: text, file: "f") }
        #expect(error?.description == message)
    }

    @Test func `Cut at any byte, it is read or refused`() {
        let bytes = Array(netrc.utf8)
        for end in 0...bytes.count { _ = try? Netrc(parsing: String(decoding: bytes[..<end], as: UTF8.self)) }
    }
}
