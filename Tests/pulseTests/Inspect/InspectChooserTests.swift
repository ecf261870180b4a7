import Foundation
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("Of several processes one is chosen", .serialized, .countsResources)
struct InspectChooserTests {
    @Test func `The list has numbers, and the arrows select`() {
        let chooser = InspectChooser(theme: .dark)
        chooser.show(["PID  PROGRAM", "42   shop", "777  mailer"])
        let text = chooser.root.snapshot(in: Size(width: 50, height: 5)).text
        #expect(text.contains("   PID  PROGRAM\n1  42   shop\n2  777  mailer\n"))
        chooser.focus.handle(.down)
        #expect(chooser.list.selectedIndex == 1 && chooser.chosen == nil)
        chooser.focus.handle(.character("5"))
        #expect(chooser.chosen == nil)
    }

    @Test(arguments: ["2", "\u{1B}[B\r"]) func `On a terminal, a number or the arrows and enter lead to its tree`(keys: String) async throws
    {
        let runtime = try TestFolder()
        let sockets = runtime.url.appending(path: "streams")
        try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let numbers = [getpid(), getppid()]
        var other = SampleSnapshots.shop()
        other.program = "mailer"
        let programs = [SampleSnapshots.shop(), other]
        let servers = try zip(numbers, programs).map { number, snapshot in
            try SnapshotServer(
                at: sockets.appending(path: "\(number)-a.sock").path,
                answers: [SampleSnapshots.answer(counting: snapshot), SampleSnapshots.answer(snapshot)])
        }
        defer { for server in servers { server.stop() } }
        let session = try #require(
            try TerminalSession(["inspect"], size: Size(width: 80, height: 24), environment: ["XDG_RUNTIME_DIR": runtime.path]))
        #expect(await session.wait { $0.text.contains("which process?") && $0.text.contains("shop") && $0.text.contains("mailer") })
        let second = session.picture.line(3).contains("mailer") ? "mailer" : "shop"
        session.type(keys)
        #expect(await session.wait { $0.line(0).contains("\(second) 4242  4 chains") })
        await session.quit()
    }
}
