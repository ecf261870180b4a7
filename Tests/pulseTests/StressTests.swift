import Foundation
import StreamsTesting
import TerminalViews
import Testing

@Suite("Any paste and any window size leave it responsive and small", .serialized, .countsResources)
struct StressTests {
    private static let pastes: [[UInt8]] = [
        Array(("e" + String(repeating: "\u{301}", count: 50_000)).utf8), Array(repeating: UInt8(ascii: "x"), count: 100_000),
        Array(String(repeating: "\u{1B}[A\u{1B}]x", count: 10_000).utf8),
    ]

    private func session(size: Size = Size(width: 80, height: 24)) throws -> BareSession {
        try #require(try BareSession(["watch", "http://127.0.0.1:1", "-i", "5"], size: size))
    }

    @Test(arguments: pastes.indices)
    func `A hundred kilobytes pasted into the filter are accepted, and Ctrl-C after it exits`(index: Int) async throws {
        let session = try session()
        #expect(await session.read(until: "refused"))
        async let end = session.drainUntilEnd()
        await session.type(Array("/".utf8) + Self.pastes[index])
        #expect(try #require(session.child.peakMegabytes) < Child.memoryLimit)
        await session.type([0x03])
        #expect(await end == .exit(130))
    }

    @Test(arguments: [(65_535, 65_535), (1, 65_535), (65_535, 1), (1, 1), (0, 0)])
    func `A window of any size is drawn within 200 MB`(width: Int, height: Int) async throws {
        let session = try session(size: Size(width: width, height: height))
        #expect(await session.read(until: "\u{1B}["))
        async let end = session.drainUntilEnd()
        await session.type(Array("?\u{C}?".utf8))
        await session.type([0x03])
        #expect(await end == .exit(130))
        #expect(session.terminal.modes == session.modesBefore)
    }

    @Test func `A megabyte pasted outside the filter is not a command, and Ctrl-C after it exits`() async throws {
        let session = try session()
        // Pastes are bracketed before the first frame is drawn.
        #expect(await session.read(until: "refused"))
        async let end = session.drainUntilEnd()
        let text = "\u{1B}[200~" + String(repeating: "sS?q\r", count: 200_000) + "\u{1B}[201~"
        await session.type(Array(text.utf8))
        #expect(try #require(session.child.peakMegabytes) < Child.memoryLimit)
        await session.type([0x03])
        #expect(await end == .exit(130))
        #expect(session.terminal.modes == session.modesBefore)
    }

    @Test func `A paste is inserted into the open filter, and q after it quits`() async throws {
        let session = try #require(try TerminalSession(["watch", "http://127.0.0.1:1"], size: Size(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("refused") && $0.bracketsPastes })
        session.type("\u{1B}[200~q\u{1B}[201~/\u{1B}[200~q one\nq\u{1B}[201~")
        #expect(await session.wait { $0.text.contains("/ q one q") })
        session.type("\rq")
        #expect(await session.child.end() == .exit(0))
        #expect(await session.isRestored())
    }

    @Test func `A terminal that is not read blocks neither the keys nor the exit, and memory is bounded`() async throws {
        let session = try #require(try BareSession())
        #expect(await session.read(until: "ACME"))
        _ = session.fill()
        // More than the terminal keeps for a program that does not read. Each key asks for another picture.
        await session.type(Array(String(repeating: "\u{1B}[B\u{1B}[A", count: 10_000).utf8))
        #expect(try #require(session.child.peakMegabytes) < Child.memoryLimit)
        #expect(session.fill() == 0)
        session.child.send(SIGTERM)
        #expect(await session.child.end() == .exit(143))
        #expect(session.terminal.modes == session.modesBefore)
    }
}
