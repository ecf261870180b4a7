import Foundation
import StreamsTesting
import TerminalViews
import Testing

@Suite("Whatever is pasted or however large the window is, it answers and stays small", .serialized, .countsResources)
struct StressTests {
    private static let pastes: [[UInt8]] = [
        Array(("e" + String(repeating: "\u{301}", count: 500_000)).utf8), Array(repeating: UInt8(ascii: "x"), count: 1_000_000),
        Array(String(repeating: "\u{1B}[A\u{1B}]x", count: 100_000).utf8),
    ]

    private func session(size: Size = Size(width: 80, height: 24)) throws -> BareSession {
        try #require(try BareSession(["watch", "http://127.0.0.1:1", "-i", "5"], size: size))
    }

    @Test("A megabyte pasted into the filter is taken, and Ctrl-C after it ends it", arguments: pastes.indices)
    func paste(index: Int) async throws {
        let session = try session()
        #expect(await session.read(until: "refused"))
        async let end = session.drainUntilEnd()
        await session.type(Array("/".utf8) + Self.pastes[index])
        #expect((session.child.peakMegabytes ?? 0) < 200)
        await session.type([0x03])
        #expect(await end == .exit(130))
    }

    @Test(
        "A window of any size is drawn within 200 MB",
        arguments: [(65_535, 65_535), (1, 65_535), (65_535, 1), (1, 1), (0, 0)])
    func window(width: Int, height: Int) async throws {
        let session = try session(size: Size(width: width, height: height))
        #expect(await session.read(until: "\u{1B}["))
        async let end = session.drainUntilEnd()
        await session.type(Array("?\u{C}?".utf8))
        await session.type([0x03])
        #expect(await end == .exit(130))
        #expect(session.terminal.modes == session.modesBefore)
    }

    @Test("A terminal that nobody reads holds up neither the end nor the memory")
    func unread() async throws {
        let session = try #require(try BareSession())
        #expect(await session.read(until: "ACME"))
        session.child.send(SIGTERM)
        #expect(await session.child.end() == .exit(143))
        #expect(session.terminal.modes == session.modesBefore)
    }
}
