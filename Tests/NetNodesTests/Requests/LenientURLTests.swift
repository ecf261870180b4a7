import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("URLs of outside text", .onOneThread, .countsResources)
struct LenientURLTests {
    @Test(
        arguments: [
            ("http://h/?filter[name]=caf%C3%A9", "http://h/?filter%5Bname%5D=caf%C3%A9"),
            ("http://h/a b/caf%c3%a9?c d=%20#e f%41", "http://h/a%20b/caf%c3%a9?c%20d=%20#e%20f%41"),
            ("http://h/%41|\\^`{}\"<>é", "http://h/%41%7C%5C%5E%60%7B%7D%22%3C%3E%C3%A9"), ("http://h/100%", "http://h/100%25"),
            ("http://h/%4", "http://h/%254"), ("http://h/%zz%41%", "http://h/%25zz%41%25"), ("http://h/#a#b%41", "http://h/#a%23b%41"),
            ("http://h/?a?b/c@d:e", "http://h/?a?b/c@d:e"), ("http://h/a\tb\n", "http://h/a%09b"), (" http://h/ ", "http://h/"),
            ("http://me:p%23[@h/x", "http://me:p%23%5B@h/x"), ("http://a@b:c@h/", "http://a%40b:c@h/"), ("http:/h/p", "http://h/p"),
            ("HTTP:///h/p", "HTTP://h/p"), ("http://bücher.de/caf%C3%A9 x", "http://xn--bcher-kva.de/caf%C3%A9%20x"),
            ("http://[::1]:8/[x]%5D", "http://[::1]:8/%5Bx%5D%5D"), ("wss:/h/[", "wss://h/%5B"), ("http://h?x[", "http://h?x%5B"),
            ("http://h/'()*!$&,;=:@-._~", "http://h/'()*!$&,;=:@-._~"), ("http://h/a/../b", "http://h/a/../b"),
            ("file:/etc/x", "file:/etc/x"),
        ])
    func `An escape stays, and what a URL cannot have is escaped`(text: String, expected: String) throws {
        let url = try #require(URL(lenient: text))
        #expect(url.absoluteString == expected)
        #expect(URL(lenient: expected)?.absoluteString == expected)
    }

    @Test(arguments: ["", " ", "http://h b/", "http://h:x/"]) func `No address, no URL`(text: String) {
        #expect(URL(lenient: text) == nil)
    }

    @Test(arguments: ["http:", "http://", "http:h", "http:////h/p", "1a:b", "/p", "//h/p", ":p", "h/p", "http://me@/p", "?", "#"])
    func `A text without scheme or host is no route`(text: String) {
        #expect(throws: HTTPRequest.RouteFailure.self) { try text.url() }
    }

    @Test func `A route, a path, a query and a template keep the escapes of their texts`() throws {
        let url = try "http://h/a[b]%20c".url()
        #expect(try (url + "caf%C3%A9/{id}?x=%41 %42").absoluteString == "http://h/a%5Bb%5D%20c/caf%C3%A9/%7Bid%7D?x=%41%20%42")
        #expect(try url.adding(URLQuery(["k[]": "%é"])).absoluteString == "http://h/a%5Bb%5D%20c?k%5B%5D=%25%C3%A9")
        let signed = try "http://h/f.zip?name=[a]&signature=a%2Fb%2Bc%3D".url()
        #expect(try signed.adding(URLQuery(["x": 1])).absoluteString == "http://h/f.zip?name=%5Ba%5D&signature=a%2Fb%2Bc%3D&x=1")
    }

    /// Foundation's own parser is the judge: of what it accepts as it is nothing changes.
    @Test func `Random texts, cut at each byte, give a URL whose text gives itself, and keep each valid escape`() throws {
        var random = SeededGenerator(seed: 7)
        let units = [
            "http:", "/", "//", "?", "#", "%41", "%", "%z", "[", "é", " ", "\t", "\\", "@", ":", "a", "..", ".", "\0", "\u{1F600}", "h",
            "&=",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in units.randomElement(using: &random) ?? "" }.joined()
            for text in [text, "http://h/" + text] {
                for base in [nil, URL(string: "http://me@b/c/d?e#f")] {
                    guard let url = URL(lenient: text, relativeTo: base) else { continue }
                    #expect(URL(lenient: url.absoluteString)?.absoluteString == url.absoluteString, "\(text.debugDescription)")
                    #expect(url.absoluteString.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F } || url.scheme == nil, "\(text.debugDescription)")
                    if base == nil, URL(string: text, encodingInvalidCharacters: false) != nil, text.hasPrefix("http://h/") {
                        #expect(url.absoluteString == text)
                    }
                }
            }
        }
    }
}
