import Foundation
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@testable import pulse

@Suite("pulse tail on a real terminal", .countsResources)
struct TailSessionTests {
    @Test func `Files are followed, filtered, paused and left`() async throws {
        let folder = try TestFolder()
        let first = try folder.file("a.log", "old\n")
        let second = try folder.file("b.log", "error one\n")
        let session = try #require(try TerminalSession(["tail", first, second], size: Size(width: 60, height: 10)))
        #expect(await session.wait { $0.text.contains("a.log old") && $0.text.contains("b.log error one") })
        session.type("/error\r")
        #expect(await session.wait { !$0.text.contains("a.log old") && $0.text.contains("filter error") })
        session.type("\u{1B}")
        #expect(await session.wait { $0.text.contains("a.log old") })
        session.type(" ")
        #expect(await session.wait { $0.text.contains("paused") })
        let file = try #require(FileHandle(forWritingAtPath: first))
        try file.seekToEnd()
        try file.write(contentsOf: Data("new \u{1B}[31mred\n".utf8))
        #expect(await session.wait { $0.text.contains("1 line waits") && !$0.text.contains("new") })
        session.type(" ")
        #expect(await session.wait { $0.text.contains("a.log new ␛[31mred") })
        session.resize(to: Size(width: 40, height: 6))
        #expect(await session.wait { $0.text.contains("a.log new ␛[31mred") })
        await session.quit()
    }

    @Test func `A command that never stops writing leaves the keys to the user, and what had to go is counted`() async throws {
        let session = try #require(try TerminalSession(["tail", "--", "yes", "more"], size: Size(width: 70, height: 10)))
        #expect(await session.wait { $0.text.contains("more") })
        session.type(" ")
        #expect(await session.wait { $0.text.contains("paused, 10000 lines wait, ") && $0.text.contains("left out") })
        session.type(" ")
        #expect(await session.wait { $0.text.contains("live") })
        await session.quit()
    }

    @Test func `A command that fails says so, and q returns its code`() async throws {
        let session = try #require(
            try TerminalSession(["tail", "--", "/bin/sh", "-c", "echo hello; exit 3"], size: Size(width: 60, height: 10)))
        #expect(await session.wait { $0.text.contains("hello") && $0.text.contains("/bin/sh exited with 3") })
        session.type("q")
        #expect(await session.child.end() == .exit(3))
        #expect(await session.isRestored())
    }
}

@Suite("A service screen of the pages", .countsResources)
struct ServiceScreenTests {
    @Test func `Tab leads to the filter, where letters are text, and esc quits`() async throws {
        let program = (PulseBinary.path as NSString).deletingLastPathComponent + "/ServiceScreen"
        let session = try #require(
            try TerminalSession(
                ["http://127.0.0.1:1/one", "http://127.0.0.1:1/two"], program: [program], size: Size(width: 60, height: 16)))
        #expect(await session.wait { $0.text.contains("1/one") && $0.text.contains("1/two") && $0.text.contains("q") })
        session.type("\ttwo")
        #expect(await session.wait { $0.text.contains("filter two") && !$0.text.contains("1/one") })
        session.type("\u{1B}")
        #expect(await session.child.end() == .exit(0))
        #expect(await session.isRestored())
    }
}
