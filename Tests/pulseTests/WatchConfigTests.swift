import Foundation
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("The configuration of a watch is read, and its faults are placed", .countsResources)
struct WatchConfigTests {
    private func config(_ text: String, environment: [String: String] = [:]) throws -> WatchConfig {
        try WatchConfig(parsing: text, file: "services.json", defaults: WatchOptions(), environment: environment)
    }

    private func fault(_ text: String) -> String {
        do {
            _ = try config(text)
            return "none"
        } catch {
            return "\(error)"
        }
    }

    @Test func `A configuration can come from a pipe, such as the shell's <(command)`() throws {
        let pipe = Foundation.Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"endpoints": ["http://a"]}"#.utf8))
        try pipe.fileHandleForWriting.close()
        let file = URL(filePath: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
        #expect(try WatchConfig(contentsOf: file, defaults: WatchOptions()).targets.map(\.url.absoluteString) == ["http://a"])
    }

    @Test
    func `What stands in the file holds for all, what stands in a group for the group, and what stands in an endpoint for it`() throws {
        let read = try config(
            """
            {
              "interval": 2, "headers": {"Accept": "text/plain", "X-Token": "${TOKEN}"},
              "alerts": {"bell": true, "command": "true", "file": "alerts.jsonl"},
              "endpoints": ["a/health", {"name": "b", "url": "https://b", "method": "HEAD", "status": [200, "300-302"]}],
              "groups": [{
                "name": "shop", "interval": 0.5, "retries": 2, "timeout": 3,
                "endpoints": [
                  {"name": "cart", "url": "http://c", "text": "ok", "json": {"path": "state.0", "equals": "fine"}, "latencyMilliseconds": 250,
                   "certificateDays": 14, "headers": {"accept": "application/json"}},
                  {"url": "http://c", "body": "{}", "interval": 9}
                ]
              }]
            }
            """, environment: ["TOKEN": "s3cret"])
        #expect(read.targets.map(\.id) == ["http://a/health", "b", "cart", "http://c"])
        #expect(read.targets.map(\.interval) == [.seconds(2), .seconds(2), .milliseconds(500), .seconds(9)])
        #expect(read.targets.map(\.group) == [nil, nil, "shop", "shop"])
        #expect(read.targets.map(\.retries) == [0, 0, 2, 2])
        #expect(read.targets.map(\.method.rawValue) == ["GET", "HEAD", "GET", "POST"])
        #expect(read.targets[0].headers == ["Accept": "text/plain", "X-Token": "s3cret"])
        #expect(read.targets[1].requirement.statuses == [200...200, 300...302])
        #expect(read.targets[2].headers["Accept"] == "application/json")
        #expect(
            read.targets[2].requirement
                == Requirement(
                    text: "ok", value: Requirement.Value(path: "state.0", equals: "fine"), latency: .milliseconds(250), certificateDays: 14)
        )
        #expect(read.alerts == AlertOptions(rings: true, command: "true", file: URL(filePath: "alerts.jsonl")))
    }

    @Test func `The values of these names are shown, for all, a group or an endpoint`() throws {
        let text = """
            {"showQuery": ["page"], "endpoints": ["h/?page=1&q=2&r=3", {"url": "h/?page=1&q=2&r=3", "showQuery": ["q", "token"]}],
             "groups": [{"name": "g", "showQuery": [], "endpoints": ["h/?page=1&r=3&token=t"]}]}
            """
        #expect(
            try config(text).targets.map(\.id) == [
                "http://h/?page=1&q=***&r=***", "http://h/?page=***&q=2&r=***", "http://h/?page=***&r=***&token=***",
            ])
        let named = try WatchConfig(parsing: text, file: "f", defaults: WatchOptions(shownQuery: ["r"])).targets.map(\.id)
        #expect(named == ["http://h/?page=1&q=***&r=3", "http://h/?page=***&q=2&r=3", "http://h/?page=***&r=3&token=***"])
    }

    @Test(
        arguments: [
            ("{", "services.json:1:2: member name expected"),
            ("{\"endpoints\": [\"a\"], \"showQuery\": \"page\"}", "services.json:1:35: showQuery is an array, not a string"),
            ("{\"endpoints\": [\"a\"], \"showQuery\": [1]}", "services.json:1:36: a name is a string, not a number"),
            ("{\"endpoints\": [\"a\"], \"showquery\": []}", "services.json:1:22: unknown member \"showquery\"; did you mean showQuery?"),
            ("{\"endpoints\": [\"a\"],\n  \"intervall\": 3}", "services.json:2:3: unknown member \"intervall\"; did you mean interval?"),
            ("{\"endpoints\": [\"a\",\n  17]}", "services.json:2:3: an endpoint is a string, not a number"),
            (
                "{\"endpoints\": [{\"url\": \"a\", \"interval\": \"soon\"}]}",
                "services.json:1:41: interval is a number of seconds, not a string"
            ),
            (
                "{\"endpoints\": [{\"url\": \"a\",\n\"interval\": 0}]}",
                "services.json:2:13: interval is a number of seconds from 0.001 to 1000000"
            ),
            (
                "{\"endpoints\": [{\"name\": \"é\", \"url\": \"ftp://a\"}]}",
                "services.json:1:37: 'ftp://a' is not supported: only http and https URLs are"
            ),
            ("{\"endpoints\": []}", "services.json:1:1: there are no endpoints"),
            ("{\"endpoints\": {}}", "services.json:1:15: endpoints is an array, not an object"),
            ("[]", "services.json:1:1: the file is an object, not an array"),
            ("{\"groups\": [{\"endpoints\": [\"a\"]}]}", "services.json:1:13: a group needs a name"),
            (
                "{\"endpoints\": [{\"name\": \"a\", \"url\": \"a\"}, {\"name\": \"a\", \"url\": \"b\"}]}",
                "services.json:1:43: two endpoints are named \"a\""
            ),
            ("{\"endpoints\": [{\"url\": \"a\", \"status\": 99}]}", "services.json:1:39: status is a whole number from 100 to 599"),
            (
                "{\"endpoints\": [{\"url\": \"a\", \"status\": \"2xx\"}]}",
                "services.json:1:39: status is a number, a range such as \"200-299\", or an array of these"
            ),
            (
                "{\"headers\": {\"A\": \"${NOPE}\"}, \"endpoints\": [\"a\"]}",
                "services.json:1:19: the variable NOPE of the environment is not set"
            ),
        ])
    func `A fault is one line with file, line and column`(text: String, sentence: String) {
        #expect(fault(text) == sentence)
    }

    @Test(
        arguments: [
            (
                "{\"endpoints\": [\"a\"],\n \"endpoints\": [\"b\"]}",
                "services.json:2:2: the member \"endpoints\" stands twice, first at 1:2"
            ),
            (
                "{\"interval\": 1, \"endpoints\": [\"a\"], \"interval\": 1}",
                "services.json:1:37: the member \"interval\" stands twice, first at 1:2"
            ),
            // Escapes do not make a name another one.
            (
                "{\"endpoints\": [{\"url\": \"a\", \"\\u0075rl\": \"b\"}]}",
                "services.json:1:29: the member \"url\" stands twice, first at 1:17"
            ),
            (
                "{\"groups\": [{\"name\": \"g\", \"endpoints\": [\"a\"]}, {\"name\": \"h\", \"endpoints\": [],\n\"name\": \"i\"}]}",
                "services.json:2:1: the member \"name\" stands twice, first at 1:49"
            ),
            (
                "{\"headers\": {\"A\": \"1\", \"A\": \"2\"}, \"endpoints\": [\"a\"]}",
                "services.json:1:24: the member \"A\" stands twice, first at 1:14"
            ),
            (
                "{\"headers\": {\"accept\": \"1\", \"Accept\": \"2\"}, \"endpoints\": [\"a\"]}",
                "services.json:1:29: the header \"Accept\" stands twice, in another case"
            ),
            (
                "{\"alerts\": {\"bell\": true, \"bell\": false}, \"endpoints\": [\"a\"]}",
                "services.json:1:27: the member \"bell\" stands twice, first at 1:13"
            ),
            (
                "{\"endpoints\": [{\"url\": \"a\", \"json\": {\"path\": \"a\", \"equals\": [{\"b\": 1, \"b\": 2}]}}]}",
                "services.json:1:71: the member \"b\" stands twice, first at 1:63"
            ),
            ("{\"unknown\": {\"a\": \"{\", \"a\": \"}\"}}", "services.json:1:24: the member \"a\" stands twice, first at 1:14"),
            (
                "{\"endpoints\": [\"a\"], \"latency\": 1, \"latencyMilliseconds\": 2}",
                "services.json:1:22: latency and latencyMilliseconds are the same limit"
            ),
        ])
    func `What stands twice in one object is a fault at the second place`(text: String, sentence: String) {
        #expect(fault(text) == sentence)
    }

    @Test func `A name may stand once in each object`() throws {
        let read = try config(
            """
            {"endpoints": [{"url": "a", "name": "x", "json": {"path": "url", "equals": {"url": ["url", "url"], "name": {"name": 1}}}},
                           {"url": "b", "name": "y"}], "groups": [{"name": "g", "endpoints": [{"url": "c", "name": "z"}]}]}
            """)
        #expect(read.targets.map(\.id) == ["x", "y", "z"])
    }

    @Test(arguments: [
        "\"200-\"", "\"-299\"", "\"200--299\"", "\"200-250-299\"", "\"+200\"", "\" 200\"", "\"299-200\"", "\"-\"", "\"\"", "\"200-600\"",
        "[200, \"300-\"]",
    ])
    func `A range of statuses has two ends, and is otherwise a fault`(status: String) {
        let sentence = fault("{\"endpoints\": [{\"url\": \"a\", \"status\": \(status)}]}")
        let column = status.hasPrefix("[") ? 45 : 39
        #expect(sentence == "services.json:1:\(column): status is a number, a range such as \"200-299\", or an array of these")
    }

    @Test func `What would accept nothing or everything is a fault`() {
        #expect(fault("{\"endpoints\": [{\"url\": \"a\", \"status\": []}]}") == "services.json:1:39: status is not empty")
        #expect(fault("{\"endpoints\": [{\"url\": \"a\", \"text\": \"\"}]}") == "services.json:1:37: text is not empty")
    }

    @Test func `A place is found behind every kind of value`() {
        let text = #"{"a": [1, {"b": "\"}]{"}, [[]], true, -1.5e3], "c\u0064": {"e": null}}"#
        let offset = { (path: [JSONPlaces.Step]) in JSONPlaces.offset(of: path, in: text) }
        #expect(offset([.member("a"), .element(4)]) == 38)
        #expect(offset([.member("cd"), .member("e")]) == 64)
        #expect(JSONPlaces.offset(of: [.member("cd"), .member("e")], isName: true, in: text) == 59)
        #expect(offset([.member("a"), .element(9)]) == 0)
    }

    @Test(arguments: UInt64(1)...60) func `Random damage to a configuration gives a sentence or a configuration`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var bytes = Array(
            #"{"interval": 2, "groups": [{"name": "g", "endpoints": [{"url": "http://a", "status": [200, "2-3"], "json": {"path": "a"}}]}]}"#
                .utf8)
        for _ in 0..<4 {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            if Bool.random(using: &generator) {
                bytes.remove(at: place)
            } else {
                bytes[place] = "{}[]\",:0-9\\ ".utf8.randomElement(using: &generator) ?? 0
            }
        }
        let sentence = fault(String(decoding: bytes, as: UTF8.self))
        #expect(sentence == "none" || sentence.hasPrefix("services.json:1:"))
    }
}

@Suite("What is expected of a response", .countsResources)
struct RequirementTests {
    private func fault(
        _ requirement: Requirement, status: Int = 200, body: String = "", latency: Duration = .milliseconds(5), expiry: Date? = nil
    ) throws -> String? {
        try fault(requirement, status: status, type: nil, bytes: Data(body.utf8), latency: latency, expiry: expiry)
    }

    private func fault(
        _ requirement: Requirement, status: Int = 200, type: String?, bytes: Data, latency: Duration = .milliseconds(5),
        expiry: Date? = nil
    ) throws -> String? {
        let url = try #require(URL(string: "http://h"))
        let headers = HTTPHeaders([type].compactMap(\.self).map { HTTPHeaders.Field(name: "Content-Type", value: $0) })
        let response = HTTPResponse(
            head: HTTPResponse.Head(status: status, headers: headers, url: url), body: bytes,
            metrics: HTTPResponse.Metrics(certificateExpiry: expiry))
        return requirement.fault(of: response, latency: latency, at: Date(timeIntervalSince1970: 0))
    }

    @Test(
        arguments: [
            ("text/plain; charset=ISO-8859-1", .isoLatin1), ("text/html;charset=\"windows-1252\"", .windowsCP1252),
            ("text/plain; charset=utf-16", .utf16), ("text/plain; charset=UTF-16BE", .utf16BigEndian), ("text/plain; charset=utf-8", .utf8),
            ("text/plain", .utf8), (nil, .utf8), ("text/plain; charset=x-unknown", .utf8),
        ] as [(String?, String.Encoding)])
    func `A text and a value are found in the charset that the response declares`(type: String?, encoding: String.Encoding) throws {
        let body = try #require("Größe: 5 µm".data(using: encoding))
        #expect(try fault(Requirement(text: "Größe"), type: type, bytes: body) == nil)
        #expect(try fault(Requirement(text: "Grösse"), type: type, bytes: body) == "the body lacks \"Grösse\"")
        let object = try #require("{\"größe\": \"µ\"}".data(using: encoding))
        let value = Requirement.Value(path: "größe", equals: "µ")
        #expect(try fault(Requirement(value: value), type: type, bytes: object) == nil)
    }

    @Test func `The body of a failure is shown in its charset`() throws {
        let url = try #require(URL(string: "http://h"))
        let body = try #require("Café geschlossen".data(using: .isoLatin1))
        let head = HTTPResponse.Head(status: 503, headers: ["Content-Type": "text/plain; charset=iso-8859-1"], url: url)
        let check = Check(HTTPResponse(head: head, body: body), of: WatchTarget(url), after: .zero)
        #expect(check.body == "Café geschlossen")
    }

    @Test func `Without a word of it a status below 400 is up`() throws {
        #expect(try fault(Requirement(), status: 302) == nil)
        #expect(try fault(Requirement(), status: 404) == "status 404")
        #expect(try fault(Requirement(statuses: [404...404]), status: 404) == nil)
        #expect(try fault(Requirement(statuses: [200...200, 300...302]), status: 204) == "status 204, expected 200 or 300-302")
    }

    @Test func `A text, a value, a latency and a certificate`() throws {
        #expect(try fault(Requirement(text: "ok"), body: "not OK") == "the body lacks \"ok\"")
        #expect(try fault(Requirement(text: "ok"), body: "ok!") == nil)
        let value = Requirement.Value(path: "a.0", equals: 3)
        #expect(try fault(Requirement(value: value), body: "{\"a\": [3.0]}") == nil)
        #expect(try fault(Requirement(value: value), body: "{\"a\": [4]}") == "a.0 is 4, expected 3")
        #expect(try fault(Requirement(value: value), body: "{}") == "the body has no a.0")
        #expect(try fault(Requirement(value: value), body: "<html>") == "the body is not JSON")
        #expect(try fault(Requirement(value: Requirement.Value(path: "a", equals: nil)), body: "{\"a\": null}") == nil)
        #expect(try fault(Requirement(latency: .milliseconds(4))) == "took 5.00 ms, limit 4.00 ms")
        let day = 86_400.0
        #expect(try fault(Requirement(certificateDays: 3), expiry: Date(timeIntervalSince1970: 3.5 * day)) == nil)
        #expect(
            try fault(Requirement(certificateDays: 3), expiry: Date(timeIntervalSince1970: 1.5 * day)) == "the certificate expires in 1 day"
        )
        #expect(try fault(Requirement(certificateDays: 3), expiry: Date(timeIntervalSince1970: -1)) == "the certificate has expired")
        #expect(try fault(Requirement(certificateDays: 3)) == nil)
    }
}
