import Foundation
import Streams
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("pulse inspect on a real terminal", .serialized, .countsResources)
struct InspectSessionTests {
    @Test func `One session: the tree, details, sorting, filter, what grew, a process that answers garbage and ends`() async throws {
        let folder = try TestFolder()
        let phase = Lock(0)
        let count = Lock(0)
        let server = try SnapshotServer(at: folder.url.appending(path: "1-a.sock").path) { _, connection in
            let phase = phase.withLock(\.self)
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let text = phase == 2 ? "garbage\n" : SampleSnapshots.answer(SampleSnapshots.shop(at: number, leaks: phase * 3))
            SnapshotServer.send(Array(text.utf8), to: connection)
        }
        let session = try #require(try TerminalSession(["inspect", server.path, "-i", "0.05"], size: Size(width: 110, height: 30)))
        #expect(await session.wait { $0.line(0).contains("shop 4242  4 chains, 9 operators, 1 suspended") && $0.text.contains("▾ zip") })
        session.type("jj\r")
        #expect(await session.wait { $0.text.contains("┌ interval  Shop/Orders.swift:10") && $0.text.contains("suspended for 3 s") })
        #expect(await session.wait { $0.text.contains("marbles  ") && $0.text.contains("oo") })
        session.type("\r/retry\r")
        #expect(await session.wait { $0.text.contains("filter retry") && !$0.text.contains("▾ zip") && $0.text.contains("▾ retry") })
        session.type("\u{1B}")
        #expect(await session.wait { $0.text.contains("▾ zip") })
        session.type("s")
        #expect(await session.wait { $0.text.contains("Rate ▼") && $0.text.contains("▾ zip") })
        session.type("d")
        #expect(await session.wait { $0.line(0).contains("nothing grew since the mark") })
        phase.withLock { $0 = 1 }
        #expect(
            await session.wait { $0.line(0).contains("3 operators more") && $0.text.contains("+3") && $0.text.contains("Orders.swift:50") })
        phase.withLock { $0 = 2 }
        #expect(await session.wait { $0.text.contains("the answer is no snapshot") && $0.text.contains("this is its last snapshot") })
        server.stop()
        #expect(await session.wait { $0.text.contains("the process has ended") && $0.text.contains("+3") })
        await session.quit()
    }
}
