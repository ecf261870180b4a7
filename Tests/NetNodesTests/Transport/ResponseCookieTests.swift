import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Cookies, credentials and redirects of requests", .countsResources, .blocksThread)
struct ResponseCookieTests {
    @Test func `a cookie has its attributes`() throws {
        let cookie = try #require(
            ResponseCookie(
                "id=a=b; Domain=.Example.com; Path=/x; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure; HttpOnly; SameSite=Lax"))
        #expect((cookie.name, cookie.value) == ("id", "a=b"))
        #expect((cookie.domain, cookie.path) == ("example.com", "/x"))
        #expect(cookie.maximumAge == .seconds(60))
        #expect(cookie.expires == Date(timeIntervalSince1970: 784_111_777))
        #expect(cookie.isSecure && cookie.isHTTPOnly && cookie.sameSite == .lax)
        #expect("\(cookie)" == "id=***; Domain=example.com")
        #expect(!String(reflecting: [cookie]).contains("a=b"))
    }

    @Test(arguments: ["", "=x", ";", "x", " = ; Secure"]) func `without a name there is no cookie`(text: String) {
        #expect(ResponseCookie(text) == nil)
    }

    @Test func `what is malformed is ignored`() throws {
        let cookie = try #require(ResponseCookie(" a = ; Max-Age=soon; Expires=never; Path=x; Domain=; SameSite=maybe; Max-Age=-1; New=1"))
        #expect((cookie.name, cookie.value, cookie.path, cookie.domain) == ("a", "", nil, nil))
        #expect((cookie.maximumAge, cookie.expires, cookie.sameSite) == (.zero, nil, nil))
        #expect(ResponseCookie("a=b; Max-Age=99999999999999999")?.maximumAge == .seconds(400 * 24 * 60 * 60))
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01-Jan-1970 00:00:00 GMT", 0), ("06 Nov 1994", nil), ("", nil),
            ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("Sun, 06 Nov 1500 08:49:37 GMT", nil),
        ] as [(String, Double?)])
    func `a date is read in each of its forms`(text: String, seconds: Double?) {
        #expect(httpDate(text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `a response has its cookies, a request the credentials of its user, and the metrics the redirects`() throws {
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
