import LoopbackServer
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@Suite("A watch behind a slow line understands what is typed and pasted", .serialized, .countsResources, .stopsServers)
struct SlowLineTests {
    private static func checks(_ screen: TerminalEmulator) -> Int {
        screen.text.firstMatch(of: /checks +(\d+),/).flatMap { Int($0.output.1) } ?? 0
    }

    /// Types the pieces. Between two of them the program makes so many checks that each key that it would decide by time has been decided.
    private func type(_ pieces: [[UInt8]], in session: TerminalSession) async {
        for piece in pieces {
            session.terminal.type(piece)
            let before = Self.checks(session.picture)
            #expect(await session.wait { Self.checks($0) >= before + 3 })
        }
    }

    @Test(
        arguments: [
            ["\u{1B}[20", "0~q \u{1B}[201~"], ["\u{1B}", "[200~q\u{1B}[201~"], ["\u{1B}[", "200~q\u{1B}[201~"],
            ["\u{1B}[200~q", "q\u{1B}[201", "~"], "\u{1B}[200~q\u{1B}[201~".map { String($0) },
        ])
    func `A pasted q does not quit, however slowly it comes`(pieces: [String]) async throws {
        let server = try running(.get("/up") { _ in .text("ok") })
        let session = try #require(
            try TerminalSession(["watch", "\(server.baseURL)/up", "-i", "0.05"], size: Size(width: 110, height: 30)))
        #expect(await session.wait { Self.checks($0) > 0 })
        await type(pieces.map { Array($0.utf8) }, in: session)
        session.type("?")
        #expect(await session.wait { $0.text.contains("this help") })
        await session.quit()
    }

    @Test func `A character and a key whose bytes come one by one are what they are`() async throws {
        let server = try running(.get("/up") { _ in .text("ok") })
        let session = try #require(
            try TerminalSession(["watch", "u日x=\(server.baseURL)/up", "-i", "0.05"], size: Size(width: 110, height: 30)))
        #expect(await session.wait { Self.checks($0) > 0 })
        let control = ["\u{1B}[1", ";", "5D"].map { Array($0.utf8) }
        await type([Array("/".utf8), [0x75, 0xE6], [0x97], [0xA5]] + control, in: session)
        session.type("x\r")
        #expect(await session.wait { $0.text.contains("filter u日x") })
        session.type("\u{1B}")
        #expect(await session.wait { !$0.text.contains("filter u日x") })
        await session.quit()
    }
}
