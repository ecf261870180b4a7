import Foundation
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

/// Programs of `Screen`, `Terminal` and `Keyboard`, each on a terminal of its own.
@Suite("A program with a screen is shown, and ends as it should", .countsResources)
struct ScreenProgramTests {
    private func session(_ mode: String) async throws -> TerminalSession {
        let probe = (PulseBinary.path as NSString).deletingLastPathComponent + "/Probe"
        let session = try #require(try TerminalSession(["screen", mode], program: [probe], size: Size(width: 20, height: 3)))
        #expect(await session.wait { $0.isAlternateScreen && $0.text.contains("ready") })
        return session
    }

    @Test func `Ctrl-C ends it as SIGINT does, which is 130 to a shell, and restores the terminal`() async throws {
        let session = try await session("plain")
        session.type("\u{3}")
        #expect(await session.child.end() == .signal(SIGINT))
        #expect(await session.isRestored())
    }

    @Test func `One that takes Ctrl-C goes on`() async throws {
        let session = try await session("takes")
        session.type("\u{3}")
        #expect(await session.wait { $0.text.contains("key ctrl-c") })
        session.type("q")
        #expect(await session.child.end() == .exit(7))
        #expect(await session.isRestored())
    }

    @Test(arguments: ["plain", "dropped"]) func `It draws until it is stopped, also if nobody keeps the screen`(mode: String) async throws {
        let session = try await session(mode)
        session.type("\u{1B}\u{7F}")
        #expect(await session.wait { $0.text.contains("key alt-backspace") })
        session.type("q")
        #expect(await session.child.end() == .exit(7))
        #expect(await session.isRestored())
    }

    @Test func `A click that is reported in the old way types nothing`() async throws {
        let session = try await session("plain")
        session.type("\u{1B}[M qq")
        #expect(await session.wait { $0.text.contains("key mouse") })
        session.type("x")
        #expect(await session.wait { $0.text.contains("key x") })
        session.type("q")
        #expect(await session.child.end() == .exit(7))
    }
}
