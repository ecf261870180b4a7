import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Redactor", .countsResources)
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
    func `a secret is found by its name wherever it stands`(text: String) {
        let clean = scan(text)
        #expect(!clean.contains(Self.s), "\(clean.debugDescription)")
        #expect(clean.contains(Redactor.mark) || text.contains("@h") || text.hasSuffix("/>"), "\(clean.debugDescription)")
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
    func `what is no secret stays, and what is left keeps its shape`(text: String, expected: String) {
        #expect(scan(text) == expected)
        #expect(scan(expected) == expected)
    }

    @Test func `a text truncated at any byte, or with any byte changed, reveals at most the position of the secret`() {
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

    /// Linear work takes seconds; quadratic work would take ten minutes, and is seen without a bound.
    @Test func `hostile texts of hundreds of kilobytes are read in linear time and on a constant stack`() {
        let units = [
            "\"", "\\\"", "{", "[", "<", "/", "a ", "token=", "{\"token\":", "\"a\":\"\\", "%25", "//a@", "<token>", "eyJ.", "Bearer ",
            "=:", "-----BEGIN KEY", "-----BEGIN CERTIFICATE-----", "<token/>", "<token ", "token:\n ", "token:\n\n", "token\n",
            "\"token\"\n", "token=\n", "\"\"\"", "token='",
        ]
        for unit in units {
            var scanner = SecretScanner(Array(String(repeating: unit, count: (1 << 17) / unit.utf8.count).utf8))
            scanner.run()
            #expect(!scanner.output.isEmpty)
        }
    }

    @Test func `a known value is replaced in one pass wherever it occurs, also percent-encoded`() {
        var values = SecretValues()
        for number in 0..<5_000 { values.insert(Array("value/\(number)+".utf8)) }
        values.insert(Array("short".utf8))
        let text = "x value/77+ y value%2F4999%2B z short value/77"
        #expect(String(decoding: values.replaced(in: Array(text.utf8)), as: UTF8.self) == "x *** y *** z short value/77")
        #expect(values.replaced(in: Array("value/0+value/1+".utf8)) == Array("******".utf8))
    }

    @Test(arguments: ["multipart/form-data; boundary=bo", "multipart/form-data; boundary=\"bo\"", "application/octet-stream", ""])
    func `the parts of a multipart form are looked into one by one`(type: String) {
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

    @Test func `the name of a part is found in a folded header`() {
        let body = "--bo\r\nContent-Disposition: form-data;\r\n name=\"password\"\r\n\r\n\(Self.s)\r\n--bo--\r\n"
        let clean = Redactor().redacted(Recording.Body(Data(body.utf8)), ["Content-Type": "multipart/form-data; boundary=bo"])
        #expect(!String(decoding: clean.data, as: UTF8.self).contains(Self.s))
    }

    @Test func `a binary body is shown as its length, unless it is media`() {
        let bad = Data("{\"token\": \"\(Self.s)\"}".utf8) + [0xFF]
        for type in ["application/json", "", "image/png"] {
            #expect(Redactor().redacted(.bytes(bad), ["Content-Type": type]) == .omitted(bytes: bad.count))
        }
        #expect(Redactor().redacted(.bytes(Data([0xFF, 0])), ["Content-Type": "image/png"]) == .bytes(Data([0xFF, 0])))
    }

    @Test func `a URL shows all of it that is no secret, and in logs and errors no more than 120 characters`() throws {
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
