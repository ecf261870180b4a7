import Foundation
import StreamsTesting
import Testing

@testable import NetNodes
@testable import Redaction

@Suite("Redactor", .onOneThread, .countsResources)
struct RedactorTests {
    private static let s = "s3cr3tvalue"

    private func scan(_ text: String) -> String {
        var scanner = SecretScanner(Array(text.utf8))
        scanner.run()
        return String(decoding: scanner.output, as: UTF8.self)
    }

    @Test(
        arguments: [
            "{\"token\": \"\(s)\"}", "{\"refresh_tokens\": [\"\(s)\", \"\(s)\"]}",
            "{\"credentials\": {\"id\": \"\(s)\", \"n\": [{\"a\": \"\(s)\"}]}}",
            "{\"a\": 1}\n{\"token\": \"\(s)\"}\n", "[{\"password\": \"\(s)\"}]", "{\"pass\\u0077ord\": \"\(s)\"}", "{\"token\": \"\(s)",
            "{\"token\":\"\(s)\",\"token\":\"***\"}", "{\"credentials\": {\"id\": \"\(s)", "data: {\"token\": \"\(s)\"}\n\n",
            "data: {\"credentials\": {\ndata: \"id\": \"\(s)\"}}\n\n", "event: x\ndata: password=\(s)\n\n", "a=1&password=\(s)",
            "a=1&pass%77ord=\(s)",
            "user%5Bpassword%5D=\(s)", "user[password]=\(s)&x", "password=a\0\(s)&b=1", "\0password=\(s)", "password=two words \(s)",
            "Authorization: Bearer \(s)", "authorization: Digest username=\"\(s)\", response=\"\(s)\"", "Cookie: a=\(s); b=\(s)",
            "please send Bearer \(s) along", "{password: '\(s)'}", "{'password': '\(s)'}", "password: \(s)", "\"password\" => \"\(s)\"",
            "<Password>\(s)</Password>", "<wsse:Password Type=\"x\">\(s)</wsse:Password>", "<a token=\"\(s)\"/>",
            "<credential value=\"\(s)\"/>",
            "<token>\n\(s)", "http://bob:\(s)@h/", "see http://\(s)@h/a for more", "http://h/?access_token=\(s)#x",
            "http://h/?next=http%3A%2F%2Fh%2F%3Ftoken%3D\(s)", "f=%7B%22password%22%3A%22\(s)%22%7D",
            "{\"body\": \"{\\\"token\\\": \\\"\(s)\\\"}\"}", "{\"u\": \"http:\\/\\/bob:\(s)@h\\/\"}", "{\"u\": \"a=1&token=\(s)\"}",
            "5\" wide, \"token\": \"\(s)\"", "eyJhbGciOiJIUzI1NiJ9.\(s).\(s)", "{\"token\" : \n \"\(s)\"}", "token\t=\t\(s)",
            "{\"password\"\n:\"\(s)\"}", "{\"password\"\r\n\t:\r\n\"\(s)\"}", "data: {\"password\"\ndata: :\ndata: \"\(s)\"}\n\n",
            "{password\n:\n'\(s)'}", "<user password\n=\n\"\(s)\">", "<user\n password='a\n\(s)'/>", "password=\"a\n\(s)\"",
            "<password><password>a</password>\(s)</password>", "<password>a</passwords>\(s)</password>",
            "<password><password/>\(s)</password\n>", "Authorization: Bearer\r\n \(s)\r\nHost: h", "X-Api-Key:\r\n\t\(s)",
            "Cookie: a=b;\r\n  c=\(s)", "password: |\n  a\n\n  \(s)\nb: c", "- password: >-\n    \(s)", "\"password\": |\n  a\n  \(s)",
            "'password': |\n \(s)", "passwords:\n- a\n- \(s)", "credentials:\n  user: a\n  id: \(s)\n", "password: \"a\n\(s)\"",
            "password = \"\"\"\na\n\(s)\n\"\"\"",
            "-----BEGIN RSA PRIVATE KEY-----\na\n\(s)\n-----END RSA PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\na\n\(s)",
            "secret=-----BEGIN CERTIFICATE-----\na&\n\(s)\n-----END CERTIFICATE-----",
            "{\"pem\": \"-----BEGIN PRIVATE KEY-----\\n\(s)\\n-----END PRIVATE KEY-----\"}",
            "pem=-----BEGIN%20PRIVATE%20KEY-----%0A\(s)", "pem=-----BEGIN+PRIVATE+KEY-----%0A\(s)",
        ])
    func `A secret is found by its name wherever it stands`(text: String) {
        let clean = scan(text)
        #expect(!clean.contains(Self.s), "\(clean.debugDescription)")
        #expect(clean.contains(Redactor.mark) || text.contains("@h") || text.hasSuffix("/>"), "\(clean.debugDescription)")
    }

    @Test(
        arguments: [
            "<path>C:\\<Password>\(s)</Password>", "<Password>a\\</b>\(s)</Password>", "<Password><![CDATA[a</Password>\(s)]]></Password>",
            "<Password><!-- </Password> -->\(s)</Password>", "<Password note=\"/>\">\(s)</Password>",
            "<Password note='a>b'>\(s)</Password>",
            "a=Bearer+\(s)&b=1", "a=Bearer%20\(s)", "x Bearer\t\(s) y", "bearer \t \(s)", "Bearer \"\(s)\"", "log: Bearer\\t\(s)",
            "x ewogImFsZyI6IkhTMjU2In0.\(s).\(s)", "eyAiYWxnIjoiSFMyNTYifQ.\(s).\(s)", "$eyJhbGciOiJIUzI1NiJ9.\(s).\(s)",
            "a.eyJhbGciOiJIUzI1NiJ9.\(s).\(s)",
            "[credentials]\nuser = \"a\"\nid = \"\(s)\"\n", "[[a.tokens]]\nid = '\(s)'\n[b]\nc = 1", "[secrets]\r\nid: \(s)\r\n",
            "tokens = [\n  \"a\",\n  \"\(s)\"\n]", "credentials = { id = \"\(s)\" }",
            "[tokens]\nx = \"\"\"\n\(s)=\n\"\"\"\n", "[keys]\nx = [\n [\"\(s)\"]\n]\n",
            "{ hello\npassword: two, words \(s)\n", "{ hello Authorization: Digest username=\"bob\", response=\"\(s)\"",
            "{\nAuthorization: Digest username=\"bob\", response=\"\(s)\"\n",
            "{\npasswords:\n  - a\n  - \(s)\n", "{password: ab}cd\(s)}", "{password: ab,cd\(s), user: b}",
            "{\n password: {\n id: '\(s)'\n }\n}", "password: {\nid: '\(s)'\n}",
            "password1=\(s)", "{\"key2\": \"\(s)\"}", "authkey: \(s)", "dbpass=\(s)", "userpwd=\(s)", "pin4: \(s)", "<Key1>\(s)</Key1>",
            "APIKEY2=\(s)", "md5key=\(s)",
            "<key>password</key><string>\(s)</string>", "<key>Token 1</key>\n\t<array><string>\(s)</string></array>", "<key>\(s)</key>",
            "<key>\(s)</key><user>b</user>", "<key>a</key><string>b</string><key>pass</key><dict><key>x</key><string>\(s)</string></dict>",
            "C:\\token=\(s)", "x\\nkey=\(s)", "x\\password=\(s)", "&quot;password&quot;:&quot;\(s)&quot;", "curl --token \(s) x",
            "curl --password '\(s)'", "password=abc\\\n  \(s)", "password: 'a\n\(s)'", "{\"password\": Digest a=\"b\", c=\(s)}",
        ])
    func `A secret is found in XML with literal text, forms, tables, lists of properties and behind unclosed braces`(text: String) {
        #expect(!scan(text).contains(Self.s), "\(scan(text).debugDescription)")
    }

    @Test(
        arguments: [
            ("<key>Name</key><string>bob</string>", "<key>Name</key><string>bob</string>"),
            ("<key>token</key><string>x</string><key>a</key><true/>", "<key>token</key><string>***</string><key>a</key><true/>"),
            ("[tokens]\na = \"x\"\n\n[b]\nc = 1\n", "[tokens]\na = \"***\"\n\n[b]\nc = 1\n"),
            ("{password: x, user: bob}", "{password: ***, user: bob}"), ("{\"pin\": 12, \"a\": 1}", "{\"pin\": 0, \"a\": 1}"),
            ("{\"pin\": 12,\n\"a\": 1}", "{\"pin\": 0,\n\"a\": 1}"), ("[1, 2]\na: b", "[1, 2]\na: b"),
            ("C:\\dir\\file <b>x</b>", "C:\\dir\\file <b>x</b>"), ("eyewear.com.au bearer", "eyewear.com.au bearer"),
            ("monkeys: 1, hotkey: 2", "monkeys: 1, hotkey: 2"),
            ("{\"a\": {\"token\": [1, 2]}, \"b\": 1}", "{\"a\": {\"token\": [0, 0]}, \"b\": 1}"), ("a=Bearer+x&b=1", "a=Bearer+***&b=1"),
        ])
    func `What stands beside a secret in a format stays`(text: String, expected: String) {
        #expect(scan(text) == expected)
        #expect(scan(expected) == expected)
    }

    @Test(
        arguments: [
            ("{\"a\": \"token\", \"b\": [1, true]}", "{\"a\": \"token\", \"b\": [1, true]}"),
            ("{\"pin\": 1234, \"token\": null, \"session\": true}", "{\"pin\": 0, \"token\": null, \"session\": true}"),
            (
                "{\"tokens\": [{\"id\": 7, \"v\": \"x\", \"f\": false}], \"n\": 1}",
                "{\"tokens\": [{\"id\": 0, \"v\": \"***\", \"f\": false}], \"n\": 1}"
            ),
            ("a=b&token=x&c=d", "a=b&token=***&c=d"), ("http://h:80/a?b=c#d", "http://h:80/a?b=c#d"),
            ("it's \"so\" \\ \"", "it's \"so\" \\ \""),
            ("data: {\"token\": \"x\"}\n\ndata: y\n\n", "data: {\"token\": \"***\"}\n\ndata: y\n\n"), ("", ""),
            ("Accept: */*", "Accept: */*"),
            ("<a><token>x</token><b>y</b></a>", "<a><token>***</token><b>y</b></a>"), ("{\"s\": \"a\\\"b\\n\"}", "{\"s\": \"a\\\"b\\n\"}"),
            ("token: x\nname: |\n  a\n", "token: ***\nname: |\n  a\n"), ("a:\n  token: |\n    x\n  b: c", "a:\n  token: ***\n  b: c"),
            ("-----BEGIN CERTIFICATE-----\na\n", "-----BEGIN CERTIFICATE-----\na\n"), ("token=\nname=b", "token=\nname=b"),
            ("<a><token><token>x</token></token><b>y</b></a>", "<a><token>***</token><b>y</b></a>"),
        ])
    func `What is no secret stays, and what is left keeps its shape`(text: String, expected: String) {
        #expect(scan(text) == expected)
        #expect(scan(expected) == expected)
    }

    @Test func `A text truncated at any byte, or with any byte changed, reveals at most the position of the secret`() {
        let text =
            "{\"a\": \"http://h/?x=1\", \"credentials\": {\"id\": \"\(Self.s)\"}, \"list\": [{\"token\": \"\(Self.s)\"}], \"u\": \"p=1&sig=\(Self.s)\"}"
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            var scanner = SecretScanner(Array(bytes.prefix(count)))
            scanner.run()
            #expect(!String(decoding: scanner.output, as: UTF8.self).contains(Self.s), "\(count)")
        }
        for byte in [UInt8](0...255) {
            var scanner = SecretScanner(bytes + [byte] + bytes)
            scanner.run()
            #expect(!String(decoding: scanner.output, as: UTF8.self).contains(Self.s), "\(byte)")
        }
    }

    /// Linear work takes seconds; quadratic work would take minutes, and is seen without a bound.
    @Test func `Hostile texts are read in linear time and on a constant stack`() {
        let units = [
            "\"", "\\\"", "{", "[", "<", "/", "a ", "token=", "{\"token\":", "\"a\":\"\\", "%25", "//a@", "<token>", "eyJ.", "Bearer ",
            "=:", "-----BEGIN KEY", "-----BEGIN CERTIFICATE-----", "<token/>", "<token ", "token:\n ", "token:\n\n", "token\n",
            "\"token\"\n", "token=\n", "\"\"\"", "token='", "[token]\n", "[token]\n#\n", "{token:1,", "{token: ,a", "{token: }", "token=[",
            "<token '", "<token \"", "<token><!--", "<token><![CDATA[", "<key>token</key><", "<key>a</key>\n", "&quot;", "token&quot;:",
            "--token ",
            "Bearer+", "Bearer\t", "eyJ.a.", "token: {", "{\n\"token\":\n", "\\token:", "token=\\\n", "{\"token\":\"", "%22", "'",
        ]
        for unit in units {
            var scanner = SecretScanner(Array(String(repeating: unit, count: (1 << 16) / unit.utf8.count).utf8))
            scanner.run()
            #expect(!scanner.output.isEmpty)
        }
    }

    @Test func `A known value is replaced in one pass wherever it occurs, also percent-encoded`() {
        var values = SecretValues()
        for number in 0..<5_000 { values.insert(Array("value/\(number)+".utf8)) }
        values.insert(Array("short".utf8))
        let redactor = Redactor(values)
        #expect(redactor.redacted(text: "x value/77+ y value%2F4999%2B z short value/77") == "x *** y *** z short value/77")
        #expect(redactor.redacted(text: "value/0+value/1+") == "******")
    }

    @Test func `Of values that overlap nothing is left`() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let word = { (count: Int) in (0..<count).map { _ in UInt8.random(in: 0x61...0x62, using: &random) } }
            let values = Set((0..<Int.random(in: 1...4, using: &random)).map { _ in word(Int.random(in: 1...5, using: &random)) })
            let text = word(Int.random(in: 0...24, using: &random))
            var isHidden = [Bool](repeating: false, count: text.count)
            for value in values {
                for start in text.indices where text[start...].starts(with: value) {
                    for index in start..<(start + value.count) { isHidden[index] = true }
                }
            }
            let left = zip(text, isHidden).filter { !$1 }.map(\.0)
            let clean = SecretMatcher(values).replaced(in: text)
            #expect(clean.filter { $0 != UInt8(ascii: "*") } == left)
        }
    }

    /// Linear work takes a second; quadratic work would take minutes, and is seen without a bound.
    @Test func `Names that are values, and values that begin alike, take linear time`() {
        let names = (0..<24_000).map { "token\($0)" }
        let body = zip(names, names.dropFirst()).map { "\($0)=\($1)" }.joined(separator: "&")
        let text = String(repeating: "a", count: 200_000)
        var exchange = Recording.Exchange(HTTPRequest(.post, URL(filePath: "/"), body: .data(Data(body.utf8))))
        exchange.body = .text((6...600).map { "token=" + String(repeating: "a", count: $0) }.joined(separator: "&") + "\n" + text)
        let clean = Redactor([exchange]).redacted(exchange)
        #expect(clean.requestBody == .text(names.dropLast().map { "\($0)=***" }.joined(separator: "&")))
        #expect(!String(decoding: clean.body.data, as: UTF8.self).contains("aaaaaa"))
    }

    @Test(arguments: ["multipart/form-data; boundary=bo", "multipart/form-data; boundary=\"bo\"", "application/octet-stream", ""])
    func `The parts of a multipart form are looked into one by one`(type: String) {
        let pem = "-----BEGIN\r\n--\(Self.s)\r\n--END"
        let body =
            "--bo\r\nContent-Disposition: form-data; name=\"private_key\"\r\n\r\n\(pem)\r\n--bo\r\ncontent-disposition: form-data; name=title\r\n\r\nHolidays\r\n"
            + "--bo\r\nContent-Disposition: form-data; name=\"meta\"\r\n\r\n{\"token\":\"\(Self.s)\"}\r\n--bo--\r\n"
        for count in 0...body.utf8.count {
            let clean = Redactor().redacted(Recording.Body(Data(body.utf8.prefix(count))), ["Content-Type": type])
            #expect(!String(decoding: clean.data, as: UTF8.self).contains(Self.s), "\(count)")
        }
        guard case .text(let text) = Redactor().redacted(.text(body), ["Content-Type": type]) else {
            Issue.record("no text")
            return
        }
        #expect(text.contains("Holidays") && text.contains("{\"token\":\"***\"}") && text.hasSuffix("\r\n--bo--\r\n"))
    }

    @Test func `The name of a part is found in a folded header`() {
        let body = "--bo\r\nContent-Disposition: form-data;\r\n name=\"password\"\r\n\r\n\(Self.s)\r\n--bo--\r\n"
        let clean = Redactor().redacted(Recording.Body(Data(body.utf8)), ["Content-Type": "multipart/form-data; boundary=bo"])
        #expect(!String(decoding: clean.data, as: UTF8.self).contains(Self.s))
    }

    @Test(
        arguments: [
            "filename=\"a; name=x\"; name=\"password\"", "filename=\"C:\\\"; name=\"password\"",
            "filename=\"a\\\"; name=\\\"x\"; name=password",
            "name=\"pass;word\"; filename=x", "name=\"a\\\"password\"", "name = \"password\"", "NAME=password", "name*=UTF-8''pass%77ord",
            "name=\"a\"; name=\"password\"", "filename=x;name=\"password", "filename='; name=\"password\"",
        ])
    func `The name of a part is found whatever the name of its file is`(parameters: String) {
        let part = "--bo\r\nContent-Disposition: form-data; \(parameters)\r\n\r\n"
        let body = part + "\(Self.s)\r\n--bo\r\nContent-Disposition: form-data; name=b\r\n\r\nharmless\r\n--bo--\r\n"
        let clean = Redactor().redacted(Recording.Body(Data(body.utf8)), ["Content-Type": "multipart/form-data; boundary=bo"])
        let text = String(decoding: clean.data, as: UTF8.self)
        #expect(!text.contains(Self.s) && text.contains("harmless"))
    }

    @Test(
        arguments: [
            "<file path=\"C:\\\" token=\"\(s)\"/>", "<r><size>5 \"</size><u password=\"\(s)\"/></r>", "<u a='\"' password=\"\(s)\"/>",
            "<a><![CDATA[ \" ]]><password>\(s)</password></a>", "<?p 5\" ?><u password='\(s)'/>",
            "{\"x\": \"<file path=\\\"C:\\\\\\\" token=\\\"\(s)\\\"/>\"}", "a=1 path=\"C:\\\" password=\"\(s)\"",
        ])
    func `A command and a recording show no secret behind a lone quote`(body: String) throws {
        let request = HTTPRequest(.post, try "http://h/".url(), headers: ["X-A": body], body: .data(Data(body.utf8)))
        #expect(!request.curl.contains(Self.s), "\(request.curl)")
        #expect(!"\(request.headers)".contains(Self.s))
        let response = HTTPResponse(head: HTTPResponse.Head(status: 400, url: request.url), body: Data(body.utf8))
        #expect(HTTPError(response)?.localizedDescription.contains(Self.s) == false)
        var exchange = Recording.Exchange(request)
        exchange.body = .text(body)
        exchange.ending = .failed(kind: "other", reason: body)
        let clean = Redactor([]).redacted(exchange)
        #expect(!"\(clean)".contains(Self.s))
    }

    @Test func `A binary body is shown as its length, unless it is media`() {
        let bad = Data("{\"token\": \"\(Self.s)\"}".utf8) + [0xFF]
        for type in ["application/json", "", "image/png"] {
            #expect(Redactor().redacted(.bytes(bad), ["Content-Type": type]) == .omitted(bytes: bad.count))
        }
        #expect(Redactor().redacted(.bytes(Data([0xFF, 0])), ["Content-Type": "image/png"]) == .bytes(Data([0xFF, 0])))
    }

    @Test func `A URL shows all of it that is no secret, and in logs and errors no more than 120 characters`() throws {
        let path = String(repeating: "a", count: 200)
        let url = try #require(URL(string: "http://me:pw@h/\(path)?key=value#x"))
        #expect(url.redactedDescription == "http://h/\(path)?key=***")
        #expect(redacted(url) == "http://h/\(path.prefix(111))…")
        let plain = try #require(URL(string: "http://h/\(path)"))
        #expect(plain.redactedDescription == plain.absoluteString)
        #expect(redacted(plain) == redacted(url))
        #expect(URL(string: "http://h/a;token=x/b")?.redactedDescription == "http://h/a;token=***/b")
    }

    @Test(
        arguments: [
            "http://bob:\(s)@h/a", "http://bob:pa?\(s)@h/a", "http://bob:pa#\(s)@h", "http://bob:x/\(s)@h", "//bob:\(s)@h/", "bob:\(s)@h",
            "http://h/?x=\(s)", "http://h/?\(s)", "http://h/#\(s)", "http://h/a;jsessionid=\(s)/b", "http://bob:\(s)@h:99999999/",
            "http:\\\\bob:\(s)@h/", "http://bob:\(s)@[::1/", "HTTP://bob:a@\(s)@h/",
        ])
    func `URLs in errors have no user, no password and no values, also where they are no URLs`(text: String) {
        #expect(!redactedURL(text).contains(Self.s), "\(redactedURL(text))")
        #expect(!Redactor().redacted(url: text).contains(Self.s) || text.contains("?x=") || text.hasSuffix("/?\(Self.s)"))
    }
}
