import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Cookies in a file", .countsResources)
struct CookieFileTests {
    private static let home = "https://home.example.org/a/b"
    private static let fields = [
        "id=\"a b\"; Path=/; Domain=example.org; Max-Age=600", "s=1; Secure; HttpOnly; SameSite=Lax", "é=日; Path=/a/b; Max-Age=60", "e=",
    ]

    private func jar(in file: URL, _ clock: CookieClock) throws -> CookieJar {
        try CookieJar(contentsOf: file, suffixes: CookieJar.suffixes, now: { clock.now })
    }

    @Test func `A file has all cookies, in their order, for its owner only`() throws {
        let folder = TemporaryDirectory()
        let (file, clock) = (folder.url.appending(path: "cookies"), CookieClock())
        let first = try jar(in: file, clock)
        #expect(first.cookies.isEmpty)
        first.receive(Self.fields, from: Self.home)
        try first.write(to: file)
        let second = try jar(in: file, clock)
        #expect(second.cookies == first.cookies && second.cookies.count == 4)
        #expect(second.sent(to: Self.home) == first.sent(to: Self.home))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        clock.advance(by: 60)
        #expect(try jar(in: file, clock).cookies.map(\.name) == ["id", "s", "e"])
    }

    /// A file that was cut has the cookies of its whole lines, or names the line that is not whole; it is not written.
    @Test func `Cut at any byte, a file says which line is broken`() throws {
        let folder = TemporaryDirectory()
        let (file, clock) = (folder.url.appending(path: "cookies"), CookieClock())
        let whole = try jar(in: file, clock)
        whole.receive(Self.fields, from: Self.home)
        try whole.write(to: file)
        let content = try Data(contentsOf: file)
        for end in 0...content.count {
            let part = Data(content.prefix(end))
            try part.write(to: file)
            let lines = part.split(separator: 0x0A)
            let isWhole = end == content.count || content[end] == 0x0A || part.last == 0x0A || part.isEmpty
            do {
                let read = try jar(in: file, clock)
                #expect(isWhole && read.cookies == Array(whole.cookies.prefix(lines.count)), "\(end)")
            } catch let error as CookieJar.FileFailure {
                #expect(!isWhole && error == .brokenLine(path: file.path, number: lines.count), "\(end)")
                #expect(!"\(error)".contains("a b"))
            }
            #expect(try Data(contentsOf: file) == part)
        }
    }

    @Test(
        arguments: [
            "x", "{}", "[]", "null", "# comment", #"{"name":"a"}"#, line(#""name":"""#), line(#""name":"a;b""#), line(#""name":"a=b""#),
            line(#""name":"a\r\nX: y""#), line(#""value":"1\r\nX: y""#), line(#""value":"1;b=2""#), line(#""domain":"""#),
            line(#""domain":"X.org""#), line(#""path":"x""#), line(#""path":"/;""#), line(#""value":1"#), line(#""expires":"soon""#),
        ])
    func `What is no cookie is an error that names its line`(broken: String) throws {
        let folder = TemporaryDirectory()
        let file = folder.url.appending(path: "cookies")
        let good = Self.line(#""value":"SECRET""#)
        try Data("\(good)\n\n\(broken)\n\(good)\n".utf8).write(to: file)
        let error = #expect(throws: CookieJar.FileFailure.self) { try jar(in: file, CookieClock()) }
        #expect(error == .brokenLine(path: file.path, number: 3))
        #expect(error?.description == "Line 3 of \(file.path) is not a cookie.")
    }

    /// A line of a file, with one member replaced.
    private static func line(_ member: String) -> String {
        let members = [
            #""name":"a""#, #""value":"1""#, #""domain":"x.org""#, #""hostOnly":true"#, #""path":"/""#, #""secure":false"#,
            #""httpOnly":false"#, #""created":0"#,
        ]
        let name = member.prefix { $0 != ":" }
        return "{" + (members.filter { !$0.hasPrefix(name) } + [member]).joined(separator: ",") + "}"
    }

    @Test func `What is no file is an error, and what cannot be written leaves the old one`() throws {
        let folder = TemporaryDirectory()
        let jar = CookieJar(CookieClock())
        #expect(throws: CookieJar.FileFailure.self) { try CookieJar(contentsOf: folder.url) }
        let missing = folder.url.appending(path: "none/cookies")
        let error = #expect(throws: CookieJar.FileFailure.self) { try jar.write(to: missing) }
        #expect(error == .unwritable(path: missing.path, reason: "No such file or directory"))
        #expect(try CookieJar(contentsOf: missing).cookies.isEmpty)
    }

    @Test func `A jar is written when it has been quiet for a while`() throws {
        let (folder, scheduler, bag) = (TemporaryDirectory(), VirtualTimeScheduler(), DisposeBag())
        let cookies = folder.url.appending(path: "cookies")
        let api = URLChain(transport: StubTransport { .text("", headers: ["Set-Cookie": "id=1"], to: $0) })

        let jar = try CookieJar(contentsOf: cookies)  // or CookieJar(), in memory only
        let session = api.cookies(jar)  // each request and each redirect gets and sets cookies
        jar.changes.debounce(.seconds(1), scheduler: scheduler)  // written when it has been quiet for a second
            .subscribe(onNext: { try? jar.write(to: cookies) }).disposed(by: bag)

        #expect(session.route(.get, "http://example.com/").void.stream().ended().error == nil)
        #expect(folder.names.isEmpty)
        scheduler.advance(by: .seconds(1))
        #expect(try CookieJar(contentsOf: cookies).cookies.map(\.name) == ["id"])
    }

    @Test func `An empty jar writes an empty file`() throws {
        let folder = TemporaryDirectory()
        let file = folder.url.appending(path: "cookies")
        try CookieJar(CookieClock()).write(to: file)
        #expect(try Data(contentsOf: file).isEmpty)
        #expect(try jar(in: file, CookieClock()).cookies.isEmpty)
    }
}
