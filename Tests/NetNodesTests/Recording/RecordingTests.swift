import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Recording and replay", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct RecordingTests {
    private let directory = TemporaryDirectory()
    private var file: URL { directory.url.appending(path: "traffic.json") }

    private struct Tokens: Codable, Sendable, Equatable {
        var accessToken: String
        var expires: Int
    }

    private func serving() throws -> LoopbackServer {
        let server = try running(
            .post("/login") { _ in .json(["accessToken": "t0ps3cret"]).header("Set-Cookie", "id=c00kievalue; Path=/teas") },
            .script("GET", "/teas", LoopbackServer.Script([.json(["green"]), .json(["black"])])),
            .get("/echo") { request in .text("you are \(request.headers["Authorization"] ?? "")") },
            .get("/image") { _ in .data(Data([0xFF, 0x00, 0x80])) }, .get("/missing") { _ in .text("no", status: 404) },
            .get("/lost") { _ in .text("x") }.with(.reset(at: .beforeHead)),
            .get("/events") { _ in .events(Observable.just(LoopbackServer.SentEvent(data: "tick")).concat(Observable.never())) })
        return server
    }

    /// The responses of each path to chains over a transport.
    private func outcomes(_ base: URL, _ transport: any Transport) throws -> [String] {
        let chain = URLChain(transport: transport).headers(["Authorization": "Bearer t0ps3cret"])
        func outcome(_ path: String) throws -> String {
            let ended = chain.route(.get, try base + path).data.stream().ended()
            return ended.error.map { "\(type(of: $0)) \(($0 as? HTTPError)?.status ?? 0)" }
                ?? ended.elements.map { "\([UInt8]($0))" }.joined()
        }
        return try ["teas?sort=name", "teas?sort=name", "image", "missing", "lost"].map(outcome)
    }

    @Test func `What was recorded from real traffic is replayed from a file without a network`() throws {
        let server = try serving()
        let recorder = RecordingTransport(CurlTransport())
        let base = server.baseURL
        let real = try outcomes(base, recorder)
        let events = URLChain(transport: recorder).route(.get, try base + "events").events().stream()
        #expect(events.take(1).ended().elements.map(\.data) == ["tick"])
        try recorder.recording.write(to: file)
        server.stop()
        let replay = try ReplayTransport(contentsOf: file)
        #expect(try outcomes(base, replay) == real)
        #expect(
            URLChain(transport: replay).route(.get, try base + "events").events().stream().take(1).ended().elements.map(\.data) == ["tick"])
        #expect(replay.unplayed.isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `No secret is written to the file, wherever it was`() throws {
        let server = try serving()
        let recorder = RecordingTransport(CurlTransport())
        let chain = URLChain(transport: recorder)
        let login = try (server.baseURL + "login?api_key=k3yvalue&sort=name")
        let authority = login.absoluteString.replacing("http://", with: "http://bob:passw0rd@")
        struct Credentials: Codable, Sendable { var name, password: String }
        let body = Credentials(name: "Bob", password: "hunter2222")
        #expect(chain.route(.post, authority).input(Credentials.self).void.stream(body).ended().error == nil)
        let form: JSON = ["client_secret": "f0rmsecret", "name": "Bob"]
        #expect(chain.route(.post, login).input(JSON.self).encoding(.formURL).void.stream(form).ended().error == nil)
        let echo = chain.headers(["Authorization": "Bearer t0ps3cret", "Cookie": "id=c00kievalue"]).route(.get, try server.baseURL + "echo")
        #expect(echo.data.stream().ended().elements.map { String(decoding: $0, as: UTF8.self) } == ["you are Bearer t0ps3cret"])
        try recorder.recording.write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        for secret in ["t0ps3cret", "k3yvalue", "passw0rd", "hunter2222", "f0rmsecret", "c00kievalue"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("sort=name") && text.contains("\\\"name\\\":\\\"Bob\\\"") && text.contains("you are Bearer ***"))
    }

    @Test func `An exchange can be modified or excluded in the recording`() throws {
        let stub = StubTransport { request in .text("private", to: request) }
        let recorder = RecordingTransport(stub) { exchange in
            exchange.body = .text("public")
            return exchange.url.hasSuffix("a")
        }
        for path in ["a", "b"] { _ = recorder.response(to: HTTPRequest(.get, try "http://h/\(path)".url())).ended() }
        #expect(recorder.recording.exchanges.map(\.url) == ["http://h/a"])
        #expect(recorder.recording.exchanges.map(\.body) == [.text("public")])
    }

    @Test func `An unrecorded request is a typed error, secrets in the URL are irrelevant, bodies are matched`() throws {
        let url = try "http://h/a?token=1&x=2".url()
        func exchange(_ body: String, _ answer: String) -> Recording.Exchange {
            Recording.Exchange(
                method: "POST", url: "http://h/a?token=***&x=2", requestBody: .text(body), head: HTTPResponse.Head(status: 200, url: url),
                body: .text(answer))
        }
        let replay = ReplayTransport(Recording([exchange("1", "one"), exchange("2", "two")]), repeatsLast: false)
        func answer(_ body: String) -> Ended<HTTPResponse> {
            replay.response(to: HTTPRequest(.post, url, body: .data(Data(body.utf8)))).ended()
        }
        #expect(answer("2").elements.map(\.body) == [Data("two".utf8)])
        #expect(answer("3").elements.map(\.body) == [Data("one".utf8)])
        #expect(answer("1").error as? Recording.Failure == .notRecorded(method: "POST", url: "http://h/a?token=***&x=***"))
        let other = replay.response(to: HTTPRequest(.get, try "http://h/b".url())).ended().error
        #expect(other as? Recording.Failure == .notRecorded(method: "GET", url: "http://h/b"))
    }

    @Test(
        arguments: [
            ("", "JSON"), ("{", "JSON"), ("[]", "Dictionary"), ("{\"version\": 1}", "exchanges"),
            ("{\"version\": \"1\", \"exchanges\": []}", "Int"),
            ("{\"version\": 1, \"exchanges\": [{}]}", "request"),
            ("{\"version\": 1, \"exchanges\": [{\"request\": {\"method\": \"A B\", \"url\": \"http://h/\", \"headers\": []}}]}", "method"),
            ("{\"version\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\", \"url\": \"h\", \"headers\": []}}]}", "URL"),
            (
                "{\"version\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\", \"url\": \"http://h/\", \"headers\": [[\"a\"]]}}]}",
                "header"
            ),
            ("{\"version\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\", \"url\": \"http://h/\", \"headers\": []}}]}", "neither"),
        ])
    func `What is no recording is a typed error that says why`(text: String, words: String) throws {
        let error = #expect(throws: Recording.Failure.self) { try Recording(data: Data(text.utf8)) }
        guard case .malformed(let reason) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason.contains(words), "\(reason)")
    }

    @Test func `A later version, a missing file and one that cannot be written are typed errors`() {
        #expect(throws: Recording.Failure.unsupportedVersion(2)) { try Recording(data: Data("{\"version\": 2}".utf8)) }
        #expect(throws: Recording.Failure.self) { try Recording(contentsOf: URL(filePath: "/nowhere/at/all")) }
        #expect(throws: Recording.Failure.unwritable(path: "/nowhere/at/all", reason: "No such file or directory")) {
            try Recording().write(to: URL(filePath: "/nowhere/at/all"))
        }
    }

    @Test func `No secret is written to the file, whatever the form of the body`() throws {
        let secret = "t0ps3cret"
        let bodies: [(type: String, body: Data)] = [
            ("application/json", Data("{\"refresh_tokens\": [\"\(secret)\"], \"credentials\": {\"id\": \"\(secret)\"}}".utf8)),
            ("application/json", Data("{\"token\": \"\(secret)\"}".utf8) + [0xFF]),
            ("application/x-ndjson", Data("{\"a\": 1}\n{\"token\": \"\(secret)\"}\n".utf8)),
            ("text/event-stream", Data("data: {\"token\": \"\(secret)\"}\n\n".utf8)),
            ("application/x-www-form-urlencoded", Data("a=1\0&password=\(secret)".utf8)),
            (
                "multipart/form-data; boundary=b",
                Data("--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(secret)\r\n--b--\r\n".utf8)
            ),
            ("text/xml", Data("<a><password>\(secret)</password></a>".utf8)), ("image/png", Data("token=\(secret)".utf8) + [0xFF]),
        ]
        for (type, body) in bodies {
            let stub = StubTransport { request in
                HTTPResponse(head: HTTPResponse.Head(status: 200, headers: ["Content-Type": type], url: request.url), body: body)
            }
            let recorder = RecordingTransport(stub)
            let request = HTTPRequest(.post, try "http://h/".url(), headers: ["Content-Type": type], body: .data(body))
            #expect(recorder.response(to: request).ended().elements.first?.body == body)
            let exchange = try #require(recorder.recording.exchanges.first)
            for shown in [exchange.body, try #require(exchange.requestBody)] {
                #expect(shown.data.range(of: Data(secret.utf8)) == nil, "\(type)")
                if String(validating: body, as: UTF8.self) == nil { #expect(shown == .omitted(bytes: body.count)) }
            }
            try recorder.recording.write(to: file)
            #expect(try Recording(contentsOf: file) == recorder.recording)
            #expect(ReplayTransport(recorder.recording).response(to: request).ended().error == nil)
        }
    }

    @Test func `An endless response uses memory up to the limit`() throws {
        let stub = StubTransport(transfer: { request in
            let head = TransferEvent.head(HTTPResponse.Head(status: 200, url: request.url))
            return Observable.just(head).concat(Observable.range(start: 0, count: 1_000).map { _ in .chunk(Data("0123456789".utf8)) })
        })
        let recorder = RecordingTransport(stub, maximumBodySize: 25)
        _ = recorder.transfer(HTTPRequest(.get, try "http://h/".url())).ended()
        #expect(recorder.recording.exchanges.map(\.body) == [.text("0123456789012345678901234")])
        #expect(recorder.recording.exchanges.map(\.ending) == [.open])
    }

    @Test func `A request whose secret is also in its path is matched`() throws {
        let stub = StubTransport { request in .text("mine", to: request) }
        let recorder = RecordingTransport(stub)
        let request = HTTPRequest(.get, try "http://h/users/t0ps3cret".url(), headers: ["X-Session-Id": "t0ps3cret"])
        _ = recorder.response(to: request).ended()
        #expect(recorder.recording.exchanges.map(\.url) == ["http://h/users/***"])
        #expect(ReplayTransport(recorder.recording).response(to: request).ended().elements.count == 1)
    }

    @Test func `A recording truncated at any byte is rejected, a manipulated one contains no control sequence`() throws {
        let exchange = Recording.Exchange(
            method: "GET", url: "http://h/a", head: nil, ending: .failed(kind: "connectionLost", reason: "\u{1B}[2J\u{9B}31m"))
        try Recording([exchange]).write(to: file)
        let content = try Data(contentsOf: file)
        for count in 0..<content.count { #expect(throws: Recording.Failure.self) { try Recording(data: content.prefix(count)) } }
        let replay = try ReplayTransport(contentsOf: file)
        let error = try #require(replay.response(to: HTTPRequest(.get, try "http://h/a".url())).ended().error)
        #expect(!"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control })
        for count in ["-1", "9223372036854775807", "1e300", "\"x\""] {
            let body = "{\"omittedBytes\": \(count)}"
            let text =
                "{\"version\": 1, \"exchanges\": [{\"request\": {\"method\": \"GET\", \"url\": \"http://h/\", \"headers\": []}, "
                + "\"isOpen\": true, \"body\": \(body)}]}"
            #expect(throws: Recording.Failure.self, "\(count)") { try Recording(data: Data(text.utf8)) }
        }
        #expect(throws: Recording.Failure.self) { try Recording(data: Data(String(repeating: "[", count: 1_000_000).utf8)) }
    }

    @Test func `Random changes of a recording are accepted or rejected, and never crash`() throws {
        let exchange = Recording.Exchange(
            method: "GET", url: "http://h/a", requestHeaders: ["A": "b"], requestBody: .bytes(Data([0xFF])),
            head: HTTPResponse.Head(status: 200, headers: ["C": "d"], url: try "http://h/a".url()), body: .text("x"),
            ending: .failed(kind: "timedOut", reason: "late"))
        try Recording([exchange]).write(to: file)
        #expect(try Recording(contentsOf: file) == Recording([exchange]))
        let content = try Data(contentsOf: file)
        var random = SystemRandomNumberGenerator()
        for round in 0..<2_000 {
            var changed = content
            for _ in 0...(round % 4) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                switch round % 3 {
                case 0: changed[place] = .random(in: 0...255, using: &random)
                case 1: changed.removeSubrange(place..<min(changed.count, place + 3))
                default: changed.insert(contentsOf: changed.prefix(place).suffix(5), at: place)
                }
            }
            do { _ = try Recording(data: changed) } catch { #expect(error is Recording.Failure) }
        }
    }
}
