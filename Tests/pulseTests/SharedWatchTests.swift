import Foundation
import LoopbackServer
import NATSNodes
import NetNodes
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@testable import pulse

@Suite(
    "One pulse checks, and others show it over NATS", .serialized, .countsResources, .stopsServers,
    .enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
struct SharedWatchTests {
    private func services() throws -> LoopbackServer {
        try running(.get("/up") { _ in .text("ok") }, .get("/down") { _ in .text("no", status: 503) })
    }

    private func watch(_ services: LoopbackServer, _ address: String) throws -> PipedRun {
        try PipedRun(["watch", "shop=\(services.baseURL)/up", "bar=\(services.baseURL)/down", "-i", "0.05", "--publish", address])
    }

    private static func contains(_ texts: String...) -> @Sendable ([UInt8]) -> Bool {
        { bytes in texts.allSatisfy { bytes.firstRange(of: Array($0.utf8)) != nil } }
    }

    @Test func `A screen that is there before the first check, one that comes late, and one in a pipe show the same`() async throws {
        let (nats, services) = (try NATSServer(.init(hasJetStream: true)), try services())
        let address = "\(nats.url)/status.shops"
        let early = try PipedRun(["view", address])
        #expect(await early.errors.wait(until: Self.contains("pulse: nothing has been published as status.shops yet")))

        let prober = try watch(services, address)
        #expect(await early.output.wait(until: Self.contains("up    200", "shop", "down  503", "bar  status 503")))

        // It ends, and what it has published is still shown.
        prober.child.send(SIGTERM)
        #expect(await prober.child.end() == .exit(143))
        let late = try #require(try TerminalSession(["view", address], size: Size(width: 90, height: 16)))
        #expect(await late.wait { $0.text.contains("1/2 up") && $0.line(2).contains("bar") && $0.line(3).contains("shop") })
        #expect(late.picture.line(0).contains("status.shops  nats://127.0.0.1:\(nats.port)"))
        await late.quit()
        early.child.send(SIGTERM)
        #expect(await early.child.end() == .exit(143))
    }

    @Test func `Texts of half a megabyte are shown at once, and hide no check after one of the year 9999`() async throws {
        let nats = try NATSServer(.init(hasJetStream: true))
        let bus = NATSConnection(nats.url)
        let check = { (name: String, year: Int, error: String) -> JSON in
            [
                "time": JSON("\(year)-11-22T11:20:31.123Z"), "url": "http://h/", "up": false, "latencyMilliseconds": 1, "name": JSON(name),
                "error": JSON(error),
            ]
        }
        let hostile = (0..<5).map { check("n\($0)", 2026, hostileText(230_000)) } + [check(hostileText(230_000), 2026, "long name")]
        let checks = hostile + [check("last", 9999, "ahead"), check("last", 2026, "after it")]
        let published = Observable<JSON>.concat(.from(checks), .never()).share(over: bus, "status", replay: 100).subscribe()
        let screen = try #require(try TerminalSession(["view", "\(nats.url)/status"], size: Size(width: 110, height: 20)))
        #expect(await screen.wait { $0.text.contains("after it") && $0.text.contains("0/7 up") })
        #expect((screen.child.peakMegabytes ?? 0) < Child.memoryLimit)
        await screen.quit()
        published.dispose()
    }

    @Test func `A server that goes away is a line, and checking and showing continue when it is back`() async throws {
        let (nats, services) = (try NATSServer(.init(hasJetStream: true)), try services())
        let address = "\(nats.url)/status"
        let prober = try watch(services, address)
        let view = try PipedRun(["view", "--json", address])
        #expect(await view.output.wait(until: Self.contains("\"name\":\"shop\"")))
        nats.kill()
        #expect(await prober.output.wait { $0.count > 1_000 })
        try nats.start()
        let screen = try #require(try TerminalSession(["view", address], size: Size(width: 90, height: 16)))
        #expect(await screen.wait { $0.text.contains("1/2 up") })
        for run in [prober, view] { run.child.send(SIGTERM) }
        #expect(await prober.child.end() == .exit(143))
        #expect(await view.child.end() == .exit(143))
        await screen.quit()
    }

    @Test(
        arguments: [
            "nats://h", "nats://h/", "http://h/a", "h/a", "nats:///a", "nats://h/a b", "nats://h/a.>", "nats://h/a..b",
            "nats://u:hunter2@h", "",
        ])
    func `An address that is none is one line and exit code 2, without the password`(address: String) throws {
        let expected = "needs the address of a NATS server with a subject, such as nats://127.0.0.1:4222/status"
        for (words, command) in [(["view", address], "pulse view"), (["watch", "a", "--publish", address], "pulse watch: --publish")] {
            #expect(throws: UsageError("\(command) \(expected)")) { try Invocation(parsing: words) }
        }
    }

    @Test func `The title of an address has neither user nor password`() throws {
        let address = try SharedAddress("tls://ada:hunter2@h:1/a.b", usage: "")
        #expect(address.title == "a.b  tls://h:1")
        #expect(address.server == "tls://ada:hunter2@h:1")
    }
}
