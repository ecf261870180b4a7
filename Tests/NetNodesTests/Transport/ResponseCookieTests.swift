import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Cookies, credentials and redirects of requests", .countsResources, .blocksThread)
struct ResponseCookieTests {
    @Test func `A cookie has its attributes`() throws {
        let cookie = try #require(
            HTTPResponse.Cookie(
                "id=a=b; Domain=.Example.com; Path=/x; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure; HttpOnly; SameSite=Lax"))
        #expect((cookie.name, cookie.value) == ("id", "a=b"))
        #expect((cookie.domain, cookie.path) == ("example.com", "/x"))
        #expect(cookie.maximumAge == .seconds(60))
        #expect(cookie.expires == Date(timeIntervalSince1970: 784_111_777))
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
        #expect("\(cookie)" == "id=***; Domain=example.com")
        #expect(!String(reflecting: [cookie]).contains("a=b"))
    }

    @Test(arguments: ["", "=x", ";", "x", " = ; Secure"]) func `Without a name there is no cookie`(text: String) {
        #expect(HTTPResponse.Cookie(text) == nil)
    }

    @Test func `What is malformed is ignored`() throws {
        let cookie = try #require(
            HTTPResponse.Cookie(" a = ; Max-Age=soon; Expires=never; Path=x; Domain=; SameSite=maybe; Max-Age=-1; New=1"))
        #expect((cookie.name, cookie.value, cookie.path, cookie.domain) == ("a", "", nil, nil))
        #expect((cookie.maximumAge, cookie.expires, cookie.sameSite) == (.zero, nil, nil))
        #expect(HTTPResponse.Cookie("a=b; Max-Age=99999999999999999")?.maximumAge == .seconds(400 * 24 * 60 * 60))
    }

    /// Only what RFC 6265, 5.2 calls a blank is none of a value, only an integer is an age, and the last attribute of a kind counts.
    @Test(
        arguments: [
            ("a=b\u{A0}", "a", "b\u{A0}"), ("\u{A0}a=b", "\u{A0}a", "b"), ("\ta\t=\tb\t", "a", "b"), ("a=\"b c\"", "a", "\"b c\""),
            ("a==b", "a", "=b"), ("a=b, c=d", "a", "b, c=d"), ("a=\"b;c\"", "a", "\"b"), ("a=;b", "a", ""), ("a=b;\u{301}c", "a", "b"),
            ("é=日", "é", "日"), ("a\u{301}=b", "a\u{301}", "b"), ("a=\u{301}b", "a", "\u{301}b"), ("a=b\u{2003}", "a", "b\u{2003}"),
        ])
    func `Name and value are what stands around the first equals sign`(field: String, name: String, value: String) throws {
        let cookie = try #require(HTTPResponse.Cookie(field))
        #expect(Array(cookie.name.utf8) == Array(name.utf8))
        #expect(Array(cookie.value.utf8) == Array(value.utf8))
    }

    @Test(
        arguments: [
            ("60", 60), ("0", 0), ("-1", 0), ("-", nil), ("", nil), ("+5", nil), ("1.5", nil), ("50,399", nil), ("5 0", nil), ("٣", nil),
            ("0060", 60), ("99999999999999999999", 400 * 86_400), ("-99999999999999999999", 0), ("9223372036854775808", 400 * 86_400),
        ] as [(String, Int?)])
    func `An age is an integer of any length`(text: String, seconds: Int?) {
        #expect(HTTPResponse.Cookie("a=b; Max-Age=\(text)")?.maximumAge == seconds.map { .seconds($0) })
        #expect(HTTPResponse.Cookie("a=b; max-age = 7; Max-Age=\(text)")?.maximumAge == .seconds(seconds ?? 7))
    }

    @Test(
        arguments: [
            ("Domain=.x.org", "x.org"), ("Domain=..x.org", ".x.org"), ("Domain=X.Org", "x.org"), ("Domain=", nil), ("Domain=.", nil),
            ("Domain", nil), ("Domain=a.org; Domain=", "a.org"), ("Domain=a.org; Domain=.", nil), ("Domain=a.org; Domain=b.org", "b.org"),
        ] as [(String, String?)])
    func `A domain loses its first dot, and the last one counts`(attributes: String, domain: String?) {
        #expect(HTTPResponse.Cookie("a=b; \(attributes)")?.domain == domain)
    }

    @Test(
        arguments: [
            ("Path=/x", "/x"), ("Path = /x", "/x"), ("Path=x", nil), ("Path", nil), ("Path=/x; Path=", nil), ("Path=/x; Path=/", "/"),
            ("path=/a b", "/a b"), ("Path=\"/x\"", nil),
        ] as [(String, String?)])
    func `A path begins with a slash, or it is that of the response`(attributes: String, path: String?) {
        #expect(HTTPResponse.Cookie("a=b; \(attributes)")?.path == path)
    }

    @Test(
        arguments: [
            ("Secure", true), ("seCURe", true), ("Secure=no", true), ("Secure =x", true), ("x; Secure", true), ("x=\"y;z\"; Secure", true),
            (" \tSecure\t ", true), ("\"Secure\"", false), ("Secure x", false), ("x=Secure", false), ("\u{A0}Secure", false),
        ])
    func `A flag is set whatever its value is`(attributes: String, isSecure: Bool) {
        #expect(HTTPResponse.Cookie("a=b;\(attributes)")?.isSecure == isSecure)
    }

    /// The forms that servers send, and those that only look like one.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01-Jan-1970 00:00:00 GMT", 0), ("06 Nov 1994", nil), ("", nil),
            ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1500 08:49:37 GMT", nil),
            // Any delimiters, in any order, with any names of days and zones.
            ("Thu, 19/Apr\\2007 16:00:00 GMT", 1_176_998_400), ("19\"Apr'2007{16:00:00}", 1_176_998_400),
            ("Thu,19-Apr-07 16:00:00", 1_176_998_400),
            ("2007 aPRILfool 19 16:0:0", 1_176_998_400), ("16:00:00 2007 Apr 19", 1_176_998_400), ("19 2007 16:00:00 Apr", 1_176_998_400),
            ("x 16:00:00 Thu Apr 19 2007 EST", 1_176_998_400), ("19 Apr 2007 16:00:00 -0400 (EDT)", 1_176_998_400),
            ("19 Apr 2007 16:00:00 11:22:33", 1_176_998_400), ("19 Apr 2007 ::00 a:b 16:00:00", 1_176_998_400),
            // Anything but a digit may follow a number; more digits may not.
            ("Fri, 07 Aug 2031AD 08:04:19 GMT", 1_943_856_259), ("7th Aug 2031 08:04:19Z", 1_943_856_259), ("007 Aug 2031 08:04:19", nil),
            ("07 Aug 20310 08:04:19", nil), ("07 Aug 2031 08:04:190", nil), ("07 Aug 2031 08:061:19", nil), ("07 Aug 2031 8h:04:19", nil),
            ("07 Aug 9999999999 08:04:19", nil), ("07 Aug 2031 08:04:99999999999", nil), ("٧ Aug 2031 08:04:19", nil),
            // The first of each kind counts, even if it is out of range.
            ("07 Aug 2031 91:22:33 08:04:19", nil), ("07 Aug 2031 08:60:19", nil), ("07 Aug 2031 08:04:60", nil),
            ("98 Aug 17 08:04:19", nil),
            ("00 Aug 2031 08:04:19", nil), ("07 Aug 1600 08:04:19", nil), ("1 Jan 1601 00:00:00", -11_644_473_600),
            // Years of two digits, and days that do not exist.
            ("1 Jan 69 00:00:00", 3_124_224_000), ("1 Jan 70 00:00:00", 0), ("1 Jan 000 00:00:00", 946_684_800),
            ("1 Jan 099 00:00:00", 915_148_800),
            ("29 Feb 2024 00:00:00", 1_709_164_800), ("29 Feb 2023 00:00:00", nil), ("31 Apr 2024 00:00:00", nil),
            ("1 Mer 2024 00:00:00", nil),
        ] as [(String, Double?)])
    func `A date is read in each of its forms`(text: String, seconds: Double?) {
        #expect(httpDate(text)?.timeIntervalSince1970 == seconds)
        #expect(HTTPResponse.Cookie("a=b; Expires=\(text)")?.expires?.timeIntervalSince1970 == seconds)
    }

    @Test func `A response has its cookies, a request the credentials of its user, and the metrics the redirects`() throws {
        let server = try ScriptedServer.answering { connection, request in
            switch request.line.split(separator: " ")[1] {
            case "/a": connection.send("HTTP/1.1 307 X\r\nLocation: /b?token=SECRET\r\nContent-Length: 0\r\n\r\n")
            case "/c":
                let credentials = request.headers["authorization"] ?? ""
                let cookies = "Set-Cookie: a=1\r\nSet-Cookie: nothing\r\nSet-Cookie: b=2; Secure\r\n"
                connection.send("HTTP/1.1 200 X\r\n\(cookies)Content-Length: \(credentials.utf8.count)\r\n\r\n\(credentials)")
            default: connection.send("HTTP/1.1 302 X\r\nLocation: /c\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let request = HTTPRequest(.get, server.url("/a"), headers: .basicAuthorization(user: "Aladdin", password: "open sesame"))
        let response = try #require(CurlTransport().response(to: request).ended().elements.first)
        #expect(String(decoding: response.body, as: UTF8.self) == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(response.head.cookies.map(\.name) == ["a", "b"])
        #expect(response.head.cookies.map(\.isSecure) == [false, true])
        let history = try #require(response.metrics?.redirectHistory)
        #expect(history.map(\.status) == [307, 302])
        #expect(history.map(\.url.path) == ["/a", "/b"])
        #expect(!"\(history)".contains("SECRET"))
    }
}
