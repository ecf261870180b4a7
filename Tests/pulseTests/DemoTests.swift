import Foundation
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@Suite("The demo draws on a real terminal and restores it", .serialized, .countsResources)
struct DemoTests {
    private static let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]

    private static func isDrawn(_ screen: TerminalEmulator) -> Bool {
        screen.text.contains("ACME") && screen.text.contains("Luma Lighting")
    }

    private func start(_ arguments: [String] = [], size: Size = sizes[0], environment: [String: String] = [:]) throws -> TerminalSession {
        try #require(try TerminalSession(arguments, size: size, environment: environment))
    }

    @Test(arguments: sizes) func `It shows quotes, and continues`(size: Size) async throws {
        let session = try start(size: size)
        #expect(await session.wait { Self.isDrawn($0) })
        let first = session.picture.text
        #expect(await session.wait() { $0.text != first })
        let second = session.picture.text
        #expect(await session.wait() { $0.text != second })
        #expect(session.picture.isAlternateScreen)
        #expect(!session.picture.isCursorVisible)
        #expect(session.picture.unknownSequences.isEmpty)
        await session.quit()
    }

    @Test func `Ctrl-C exits with 130, SIGTERM with 143, and the terminal is restored`() async throws {
        let interrupted = try start()
        #expect(await interrupted.wait() { $0.text.contains("ACME") })
        interrupted.type("\u{3}")
        #expect(await interrupted.child.end() == .exit(130))
        #expect(await interrupted.isRestored())

        for (signal, code) in [(SIGTERM, Int32(143)), (SIGINT, 130)] {
            let session = try start()
            #expect(await session.wait() { $0.text.contains("ACME") })
            session.child.send(signal)
            #expect(await session.child.end() == .exit(code))
            #expect(await session.isRestored())
        }
    }

    // The sanitizer handles the crash in its own way, and can wait for a lock of the runtime meanwhile.
    #if !THREAD_SANITIZER
        @Test func `A crash restores the terminal too`() async throws {
            // Without Swift's own report, which would ask questions on the terminal.
            let session = try start(environment: ["SWIFT_BACKTRACE": "enable=no"])
            #expect(await session.wait() { $0.text.contains("ACME") })
            session.child.send(SIGSEGV)
            #expect(await session.child.end() == .signal(SIGSEGV))
            #expect(await session.isRestored())
        }
    #endif

    @Test func `It follows the size of the terminal, whatever it becomes`() async throws {
        let session = try start()
        #expect(await session.wait() { $0.text.contains("ACME") })
        for size in [Size(width: 20, height: 5), Size(width: 1, height: 1), Size(width: 200, height: 50)] {
            session.resize(to: size)
        }
        #expect(await session.wait() { $0.text.contains("LUMA") && $0.text.split(separator: "\n").count > 45 })
        session.resize(to: Size(width: 100, height: 30))
        #expect(await session.wait() { $0.text.contains("ACME") && $0.text.contains("q quit") })
        await session.quit()
    }

    @Test func `The keys work as documented`() async throws {
        let session = try start(size: Size(width: 110, height: 30))
        #expect(await session.wait() { $0.text.contains("┌ ACME") })
        session.type("\u{1B}[B")
        #expect(await session.wait() { $0.text.contains("┌ BLUE") })
        session.type("p")
        #expect(await session.wait() { $0.text.contains("paused") })
        session.type("p")
        #expect(await session.wait() { $0.text.contains("live") })
        session.type("s")
        #expect(await session.wait() { $0.text.contains("Price ▲") })
        session.type("/kelp")
        #expect(await session.wait() { $0.text.contains("/ kelp") && !$0.text.contains("Acme") })
        session.type("\u{1B}")
        #expect(await session.wait() { $0.text.contains("Acme") })
        session.type("?")
        #expect(await session.wait() { $0.text.contains("redraw") })
        session.type(" ")
        #expect(await session.wait() { !$0.text.contains("redraw") })
        session.type("\r")
        #expect(await session.wait() { !$0.text.contains("Symbol") })
        await session.quit()
    }

    @Test func `NO_COLOR is respected`() async throws {
        let session = try start(environment: ["NO_COLOR": "1"])
        #expect(await session.wait() { $0.text.contains("LUMA") })
        let picture = session.picture
        for y in 0..<24 {
            for x in 0..<80 {
                let style = picture[x, y].style
                guard style.foreground == .standard, style.background == .standard else {
                    Issue.record("There is a colour at \(x), \(y).")
                    break
                }
            }
        }
        await session.quit()
    }

    @Test func `A terminal without control sequences gets plain lines`() async throws {
        let session = try start(["watch", "http://127.0.0.1:1/", "-i", "0.05"], environment: ["TERM": "dumb"])
        #expect(await session.wait() { $0.text.contains("down") })
        #expect(!session.picture.isAlternateScreen)
        #expect(session.picture.unknownSequences.isEmpty)
        session.child.send(SIGTERM)
        #expect(await session.child.end() == .exit(143))
        #expect(session.terminal.modes == session.modesBefore)
    }
}
