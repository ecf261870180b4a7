import Dispatch
import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Cookies of a jar", .countsResources)
struct CookieJarTests {
    private static let home = "http://home.example.org/a/b"

    /// The public cases of RFC 6265, as far as they are no parser's: which cookie comes back, and in which order.
    private static let order: [CookieRow] = [
        CookieRow("two cookies in the order of their setting", ["z=y", "a=b"], from: home, to: home, sends: "z=y; a=b"),
        CookieRow("a new value at the old place", ["a=1", "b=2", "a=3"], from: home, to: home, sends: "a=3; b=2"),
        CookieRow("names with capitals are others", ["a=1", "A=2"], from: home, to: home, sends: "a=1; A=2"),
        CookieRow("names are compared byte for byte", ["\u{E9}=1", "e\u{301}=2"], from: home, to: home, sends: "\u{E9}=1; e\u{301}=2"),
        CookieRow("no name, no cookie", ["a=b", "=", "=x", "c=d"], from: home, to: home, sends: "a=b; c=d"),
        CookieRow("a comma separates no cookies", ["a=b, c=d"], from: home, to: home, sends: "a=b, c=d"),
        CookieRow("a quoted value keeps its quotes", ["a=\"b c\""], from: home, to: home, sends: "a=\"b c\""),
        CookieRow("a control character", ["a=b\u{1}c", "d=e\u{7F}", "f=g"], from: home, to: home, sends: "f=g"),
        CookieRow(
            "longer paths first", ["a=1; Path=/", "b=2; Path=/a/b", "c=3; Path=/a"], from: home, to: home, sends: "b=2; c=3; a=1"),
        CookieRow(
            "of equal paths the older first", ["b=1; Path=/a", "a=2; Path=/a", "b=3; Path=/a"], from: home, to: home, sends: "b=3; a=2"),
        CookieRow("the same name under two paths", ["a=1; Path=/", "a=2; Path=/a"], from: home, to: home, sends: "a=2; a=1"),
    ]

    private static let paths: [CookieRow] = [
        CookieRow("the default path", ["a=1"], from: "http://x.org/d/e/f", to: "http://x.org/d/e/", sends: "a=1"),
        CookieRow("the default path without its slash", ["a=1"], from: "http://x.org/d/e/f", to: "http://x.org/d/e", sends: "a=1"),
        CookieRow("above the default path", ["a=1"], from: "http://x.org/d/e/f", to: "http://x.org/d/", sends: ""),
        CookieRow("the default path of a file in the root", ["a=1"], from: "http://x.org/d", to: "http://x.org/e/f", sends: "a=1"),
        CookieRow("the default path of no path", ["a=1"], from: "http://x.org", to: "http://x.org/e/f", sends: "a=1"),
        CookieRow("a query is no path", ["a=1"], from: "http://x.org/d?e/f", to: "http://x.org/g", sends: "a=1"),
        CookieRow("a path that only begins alike", ["a=1; Path=/d"], from: "http://x.org/", to: "http://x.org/day", sends: ""),
        CookieRow("a path in other capitals", ["a=1; Path=/D"], from: "http://x.org/", to: "http://x.org/d", sends: ""),
        CookieRow("a path with a slash at its end", ["a=1; Path=/d/"], from: "http://x.org/", to: "http://x.org/d", sends: ""),
        CookieRow("below a path with a slash at its end", ["a=1; Path=/d/"], from: "http://x.org/", to: "http://x.org/d/e", sends: "a=1"),
        CookieRow("a path without a slash", ["a=1; Path=d"], from: "http://x.org/e/f", to: "http://x.org/e/g", sends: "a=1"),
        CookieRow("the last path counts", ["a=1; Path=/d; Path=/e"], from: "http://x.org/", to: "http://x.org/e", sends: "a=1"),
        CookieRow("a path of another folder", ["a=1; Path=/other"], from: "http://x.org/d", to: "http://x.org/other/e", sends: "a=1"),
        CookieRow("dots in the path of a request", ["a=1; Path=/d"], from: "http://x.org/", to: "http://x.org/d/../e", sends: ""),
        CookieRow("a path is compared as it is written", ["a=1; Path=/d e"], from: "http://x.org/", to: "http://x.org/d%20e", sends: ""),
        CookieRow(
            "a path that is too long", ["a=1; Path=/" + String(repeating: "x", count: 1024)], from: "http://x.org/d/e",
            to: "http://x.org/d/f", sends: "a=1"),
    ]

    private static let secure: [CookieRow] = [
        CookieRow("secure, over TLS", ["a=1; Secure"], from: "https://x.org/", to: "https://x.org/", sends: "a=1"),
        CookieRow("secure, without TLS", ["a=1; Secure"], from: "https://x.org/", to: "http://x.org/", sends: ""),
        CookieRow("secure, set without TLS", ["a=1; Secure"], from: "http://x.org/", to: "https://x.org/", sends: ""),
        CookieRow("not secure, over TLS", ["a=1"], from: "http://x.org/", to: "https://x.org/", sends: "a=1"),
        CookieRow("another port", ["a=1"], from: "http://x.org:81/", to: "http://x.org:82/", sends: "a=1"),
        CookieRow("secure, to a WebSocket", ["a=1; Secure"], from: "https://x.org/", to: "wss://x.org/", sends: "a=1"),
        CookieRow("HttpOnly", ["a=1; HttpOnly"], from: "http://x.org/", to: "http://x.org/", sends: "a=1"),
        CookieRow("__Secure- with it", ["__Secure-a=1; Secure"], from: "https://x.org/", to: "https://x.org/", sends: "__Secure-a=1"),
        CookieRow("__Secure- without it", ["__secure-a=1"], from: "https://x.org/", to: "https://x.org/", sends: ""),
        CookieRow("__Host- with all", ["__Host-a=1; Secure; Path=/"], from: "https://x.org/d", to: "https://x.org/", sends: "__Host-a=1"),
        CookieRow("__Host- without Secure", ["__Host-a=1; Path=/"], from: "https://x.org/", to: "https://x.org/", sends: ""),
        CookieRow("__Host- without Path", ["__Host-a=1; Secure"], from: "https://x.org/", to: "https://x.org/", sends: ""),
        CookieRow("__Host- with another Path", ["__HOST-a=1; Secure; Path=/d"], from: "https://x.org/", to: "https://x.org/d", sends: ""),
        CookieRow(
            "__Host- with a domain", ["__Host-a=1; Secure; Path=/; Domain=x.org"], from: "https://x.org/", to: "https://x.org/", sends: ""),
    ]

    private static let lifetimes: [CookieRow] = [
        CookieRow("an age", ["a=1; Max-Age=1"], from: home, to: home, sends: "a=1"),
        CookieRow("no age", ["a=1; Max-Age=0"], from: home, to: home, sends: ""),
        CookieRow("an age that is no number", ["a=1; Max-Age=x"], from: home, to: home, sends: "a=1"),
        CookieRow("a date", ["a=1; Expires=Fri, 07 Aug 2099 08:04:19 GMT"], from: home, to: home, sends: "a=1"),
        CookieRow("a date in the past", ["a=1; Expires=Fri, 07 Aug 2007 08:04:19 GMT"], from: home, to: home, sends: ""),
        CookieRow(
            "the age before the date", ["a=1; Max-Age=9; Expires=Fri, 07 Aug 2007 08:04:19 GMT"], from: home, to: home, sends: "a=1"),
        CookieRow(
            "the age before the date, in any order", ["a=1; Expires=Fri, 07 Aug 2099 08:04:19 GMT; Max-Age=-1"], from: home, to: home,
            sends: ""),
        CookieRow("a cookie is removed", ["a=1", "b=2", "a=; Max-Age=0"], from: home, to: home, sends: "b=2"),
        CookieRow("that of another path is not", ["a=1; Path=/a", "a=; Max-Age=0; Path=/"], from: home, to: home, sends: "a=1"),
    ]

    @Test(arguments: order + paths + secure + lifetimes + CookieScopes.rows)
    func `A request has the cookies of its URL`(row: CookieRow) {
        let jar = CookieJar(CookieClock())
        jar.receive(row.fields, from: row.setting)
        #expect(jar.sent(to: row.request) == row.sent)
    }

    @Test func `A cookie ends with its time, and a new value keeps the time of its creation`() throws {
        let clock = CookieClock()
        let jar = CookieJar(clock)
        let begin = clock.now
        jar.receive(["a=1; Max-Age=10", "b=2"], from: Self.home)
        clock.advance(by: 9)
        jar.receive(["a=3; Max-Age=10"], from: Self.home)
        #expect(jar.cookies.map(\.created) == [begin, begin])
        clock.advance(by: 9.5)
        #expect(jar.sent(to: Self.home) == "a=3; b=2")
        clock.advance(by: 0.5)
        #expect(jar.sent(to: Self.home) == "b=2")
        #expect(jar.cookies.map(\.name) == ["b"])
        jar.receive(["a=4"], from: Self.home)
        #expect(jar.cookies.map(\.name) == ["b", "a"] && jar.cookies.last?.created == clock.now)
    }

    @Test func `The order of setting does not depend on the clock`() {
        let clock = CookieClock()
        let jar = CookieJar(clock)
        jar.receive(["a=1"], from: Self.home)
        clock.advance(by: -5_000)
        jar.receive(["b=2"], from: Self.home)
        #expect(jar.sent(to: Self.home) == "a=1; b=2")
    }

    @Test func `Without TLS a secure cookie is neither replaced nor hidden`() {
        let jar = CookieJar(CookieClock())
        jar.receive(["id=1; Secure; Domain=x.org"], from: "https://x.org/")
        for field in ["id=2; Domain=x.org", "id=3", "id=4; Path=/d", "id=; Max-Age=0; Domain=x.org"] {
            jar.receive([field], from: "http://sub.x.org/d/e")
            jar.receive([field], from: "http://x.org/d/e")
        }
        #expect(jar.sent(to: "https://sub.x.org/d/e") == "id=1")
        jar.receive(["id=5; Domain=x.org; Path=/"], from: "https://x.org/")
        #expect(jar.sent(to: "http://x.org/") == "id=5")
    }

    @Test func `Beyond its limits a jar removes what was not used for the longest time`() {
        let jar = CookieJar(CookieClock(), limits: CookieJar.Limits(perDomain: 3, total: 5))
        jar.receive(["a=1", "b=2", "c=3; Path=/p"], from: "http://x.org/")
        _ = jar.sent(to: "http://x.org/")
        jar.receive(["d=4"], from: "http://x.org/")
        #expect(jar.sent(to: "http://x.org/p") == "a=1; b=2; d=4")
        jar.receive(["e=5", "f=6"], from: "http://y.org/")
        _ = jar.sent(to: "http://x.org/")
        jar.receive(["g=7"], from: "http://z.org/")
        #expect(jar.sent(to: "http://y.org/") == "f=6" && jar.cookies.count == 5)
    }

    @Test func `What has expired leaves first`() {
        let clock = CookieClock()
        let jar = CookieJar(clock, limits: CookieJar.Limits(perDomain: 2))
        jar.receive(["a=1", "b=2; Max-Age=5"], from: Self.home)
        clock.advance(by: 5)
        jar.receive(["c=3"], from: Self.home)
        #expect(jar.sent(to: Self.home) == "a=1; c=3")
    }

    @Test(arguments: [4096, 4097]) func `A pair has at most 4096 bytes`(size: Int) {
        let jar = CookieJar(CookieClock())
        jar.receive(["n=" + String(repeating: "v", count: size - 1)], from: Self.home)
        #expect(jar.cookies.count == (size == 4096 ? 1 : 0))
    }

    @Test func `Cookies are removed by choice, with the session, or all`() {
        let jar = CookieJar(CookieClock())
        jar.receive(["a=1; Max-Age=9", "b=2", "c=3", "d=4; Max-Age=9"], from: Self.home)
        jar.remove { $0.name == "a" }
        #expect(jar.cookies.map(\.name) == ["b", "c", "d"])
        jar.endSession()
        #expect(jar.cookies.map(\.name) == ["d"])
        jar.remove()
        #expect(jar.cookies.isEmpty)
    }

    @Test func `A change is emitted, and nothing else`() throws {
        let clock = CookieClock()
        let jar = CookieJar(clock)
        let count = Lock(0)
        let subscription = jar.changes.subscribe(onNext: { count.withLock { $0 += 1 } })
        defer { subscription.dispose() }
        func changes(_ act: () throws -> Void) rethrows -> Int {
            let before = count.withLock { $0 }
            try act()
            return count.withLock { $0 } - before
        }
        #expect(changes { jar.receive(["a=1", "b=2"], from: Self.home) } == 1)
        #expect(changes { jar.receive(["a=1"], from: Self.home) } == 0)
        #expect(changes { _ = jar.sent(to: Self.home) } == 0)
        #expect(changes { jar.receive(["a=2"], from: Self.home) } == 1)
        #expect(changes { jar.receive(["c=; Max-Age=0", "=x"], from: Self.home) } == 0)
        #expect(changes { jar.receive(["a=; Max-Age=0"], from: Self.home) } == 1)
        let url = try #require(URL(string: Self.home))
        let foreign = try #require(HTTPResponse.Cookie("d=1; Domain=other.org"))
        #expect(changes { _ = jar.set(foreign, from: url) } == 0)
        #expect(!jar.set(foreign, from: url))
        #expect(changes { jar.remove() } == 1)
        #expect(changes { jar.remove() } == 0)
    }

    @Test func `No value is in a description`() {
        let jar = CookieJar(CookieClock())
        jar.receive(["id=SECRET"], from: Self.home)
        var dumped = ""
        dump(jar, to: &dumped)
        dump(jar.cookies, to: &dumped)
        let shown = "\(jar) \(jar.cookies) \(String(reflecting: jar.cookies))\(dumped)"
        #expect(!shown.contains("SECRET"))
        #expect("\(jar.cookies)" == "[id=***; Domain=home.example.org; Path=/a]" && "\(jar)" == "1 cookies")
    }

    /// Every prefix of a field, and each byte of it replaced: at worst there is no cookie, and never one of another host.
    @Test func `A field that is cut or garbled sets nothing elsewhere`() {
        let field = Array("__Host-id=a=b; Domain=.Example.org; Path=/x; Max-Age=60; Expires=Sun, 06 Nov 2094 08:49:37 GMT; Secure".utf8)
        let jar = CookieJar(CookieClock())
        for end in field.indices { jar.receive([String(decoding: field[..<end], as: UTF8.self)], from: "https://sub.example.org/x/") }
        for index in field.indices {
            for byte in [0x00, 0x09, 0x20, 0x2E, 0x3B, 0x3D, 0x80, 0xFF] as [UInt8] {
                var garbled = field
                garbled[index] = byte
                jar.receive([String(decoding: garbled, as: UTF8.self)], from: "https://sub.example.org/x/")
            }
        }
        #expect(jar.cookies.allSatisfy { ["sub.example.org", "example.org"].contains($0.domain) })
        #expect(jar.sent(to: "https://example.com/x/") == "" && jar.sent(to: "https://org/x/") == "")
        let pairs = jar.cookies.map { "\($0.name)=\($0.value)" }
        #expect(pairs.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } })
    }

    @Test func `A hostile server fills only its own domain`() {
        let jar = CookieJar(CookieClock())
        jar.receive(["mine=1"], from: "http://x.org/")
        jar.receive((0..<5_000).map { "n\($0)=\($0)" }, from: "http://evil.com/")
        #expect(jar.cookies.count == 181 && jar.sent(to: "http://x.org/") == "mine=1")
        #expect(jar.sent(to: "http://evil.com/").hasSuffix("n4999=4999"))
    }

    @Test(.blocksThread) func `Eight threads lose no cookie`() {
        let jar = CookieJar(CookieClock())
        let ended = DispatchGroup()
        for number in 0..<8 {
            ended.enter()
            Thread.detachNewThread {
                for round in 0..<100 {
                    jar.receive(["t\(number)=\(round)", "x\(number)-\(round % 10)=1", "gone=\(number); Max-Age=0"], from: Self.home)
                    _ = jar.sent(to: Self.home)
                }
                ended.leave()
            }
        }
        ended.wait()
        #expect(jar.cookies.count == 8 * 11)
        #expect((0..<8).allSatisfy { jar.sent(to: Self.home).contains("t\($0)=99") })
    }
}
