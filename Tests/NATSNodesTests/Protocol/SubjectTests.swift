import StreamsTesting
import Testing

@testable import NATSNodes

@Suite("Subjects, addresses and credentials", .onOneThread)
struct SubjectTests {
    @Test func `Subjects are published to without wildcards and without empty parts`() {
        for good in ["a", "a.b.c", "quotes.acme", "$JS.API.INFO", "ä.b", "a*b", "a>b", "a.b>"] {
            #expect(throws: Never.self, "\(good)") { try Subject.check(good, for: .publishing) }
        }
        for bad in ["", ".", "a.", ".a", "a..b", "a b", "a\tb", "a\r\nPUB b 1", "a\u{0}", "*", "a.*", "a.>", ">", "a.*.b"] {
            #expect(throws: NATSError.self, "\(bad)") { try Subject.check(bad, for: .publishing) }
        }
        #expect(throws: NATSError.self) { try Subject.check(String(repeating: "a", count: 2_001), for: .publishing) }
    }

    @Test func `Subscriptions may have wildcards as whole parts, and > only as the last`() {
        for good in ["*", ">", "a.*", "a.>", "*.b.>", "a.*.c"] {
            #expect(throws: Never.self, "\(good)") { try Subject.check(good, for: .subscribing) }
        }
        for bad in ["", "a.>.b", ">.a", "a..>", "a.* b"] {
            #expect(throws: NATSError.self, "\(bad)") { try Subject.check(bad, for: .subscribing) }
        }
    }

    @Test func `A pattern matches as the server matches it`() {
        let cases: [(String, String, Bool)] = [
            ("a.b", "a.b", true), ("a.b", "a", false), ("a", "a.b", false), ("a.b", "*.*", true), ("a.b", "*", false), ("a.b", ">", true),
            ("a", "a.>", false), ("a.b.c", "a.>", true), ("a.b.c", "a.*.c", true), ("a.b.c", "a.*", false), ("a*b", "a*b", true),
            ("axb", "a*b", false),
        ]
        for (subject, pattern, expected) in cases {
            #expect(Subject.matches(subject, pattern: pattern) == expected, "\(subject) and \(pattern)")
        }
    }

    @Test func `Names that become part of a subject have no dots, blanks and wildcards`() {
        #expect(throws: Never.self) { try Subject.checkName("ORDERS_2-b") }
        for bad in ["", "a.b", "a b", "a*", ">", "a/b", "a\\b", "a\n", String(repeating: "a", count: 256)] {
            #expect(throws: NATSError.self, "\(bad)") { try Subject.checkName(bad) }
        }
    }

    @Test func `Addresses have a host, and by default the port 4222`() throws {
        let addresses = try ServerAddress.parseList("nats://10.0.0.1, tls://b:4443,c,nats://u:p%40ss@[::1]:5")
        #expect(addresses.map(\.name) == ["10.0.0.1:4222", "b:4443", "c:4222", "[::1]:5"])
        #expect(addresses.map(\.requiresTLS) == [false, true, false, false])
        #expect(addresses.last?.user == "u")
        #expect(addresses.last?.password == "p@ss")
        #expect(try ServerAddress(parsing: "nats://u:p%23[%@h").password == "p#[%")
    }

    @Test(arguments: ["bücher.example", "xn--bcher-kva.example", "nats://xn--b%63her-kva.example"])
    func `A host with letters beyond ASCII is the one that the DNS knows`(text: String) throws {
        #expect(try ServerAddress(parsing: text).host == "xn--bcher-kva.example")
    }

    @Test(
        arguments: [
            "", "http://a", "nats://", "nats://u:secret@", "nats://u:secret@h:99999", "nats://u:secret@h/x", "a,,b", "u:secret@h h",
        ])
    func `What is no address is a typed error that quotes no password`(_ text: String) {
        let error = #expect(throws: NATSError.self) { try ServerAddress.parseList(text) }
        if case .invalidURL? = error {} else { Issue.record("\(String(describing: error))") }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `Credentials show their kind only`() {
        let credentials = NATSConnection.Credentials.user("bob", password: "secret")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!"\(credentials) \(String(reflecting: credentials)) \(dumped)".contains("secret"))
    }

    @Test func `A signature is that of openssl`() throws {
        let key = try NKeySeed(parsing: "SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU")
        #expect(
            try key.signature(of: "nonce") == "dSaFpqjukQ1bK10iVBn5ylqrkr-V4rGbEoJFL-3fEZx7sK6QxZqXuCONf50x9jmZqgyqiyOhb5oDNcxq6pSdAA")
    }
}
