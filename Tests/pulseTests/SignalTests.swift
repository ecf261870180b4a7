import Foundation
import StreamsTesting
import TerminalViews
import Testing

@Suite("However it exits, the terminal is restored and the exit code tells the reason", .serialized, .countsResources)
struct SignalTests {
    private static let endpoint = "http://127.0.0.1:1"

    private func session() async throws -> TerminalSession {
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        let arguments = ["watch", Self.endpoint, "-i", "0.02"]
        let session = try #require(try TerminalSession(arguments, size: Size(width: 80, height: 24), environment: environment))
        #expect(await session.wait { $0.text.contains("▼ down") })
        return session
    }

    #if !THREAD_SANITIZER
        @Test(
            arguments: [
                SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS,
            ])
        func `A signal that ends it restores the terminal and is how it ended`(number: Int32) async throws {
            let session = try await session()
            session.child.send(number)
            #expect(await session.child.end() == .signal(number))
            #expect(await session.isRestored())
            #expect(session.picture.text.allSatisfy { $0 == "\n" })
        }
    #endif

    @Test func `SIGQUIT and its key are 131, on a screen, in a pipe and during a transfer, and say nothing`() async throws {
        let session = try await session()
        session.child.send(SIGQUIT)
        #expect(await session.child.end() == .exit(131))
        #expect(await session.isRestored())
        let other = try await self.session()
        other.type("\u{1C}")
        #expect(await other.child.end() == .exit(131))
        #expect(await other.isRestored())
        let (output, errors) = (try Pipe(), try Pipe())
        let child = try Child.start(["watch", Self.endpoint, "-i", "0.02"], output: output.write, errors: errors.write)
        output.closeWrite()
        errors.closeWrite()
        let (reader, reported) = (Reader(output.read), Reader(errors.read))
        #expect(await reader.wait { $0.contains(10) })
        child.send(SIGQUIT)
        #expect(await child.end() == .exit(131))
        #expect(await reported.all() == "")
    }

    #if canImport(Glibc)
        @Test func `So does one delivered to another thread than the main thread`() async throws {
            let session = try await session()
            let process = session.child.process
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").compactMap { pid_t($0) }
            // Dispatch's threads block signals; the one that reads the keys does not.
            let other = try #require(
                try threads.first { thread in
                    let status = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/status", encoding: .utf8)
                    return thread != process && status.contains("SigBlk:\t0000000000000000")
                })
            // Glibc has the function, its module map does not.
            typealias ThreadKill = @convention(c) (pid_t, pid_t, Int32) -> Int32
            let address = try #require(dlsym(nil, "tgkill"))
            #expect(unsafeBitCast(address, to: ThreadKill.self)(process, other, SIGUSR1) == 0)
            #expect(await session.child.end() == .signal(SIGUSR1))
            #expect(await session.isRestored())
        }
    #endif

    @Test func `A signal that the caller ignores stays ignored`() async throws {
        let script = "trap '' HUP INT; exec \"$0\" \"$@\""
        let arguments = ["-c", script, PulseBinary.path, "watch", Self.endpoint, "-i", "0.02"]
        let output = try Pipe()
        let child = try Child.start(arguments, program: ["/bin/sh"], output: output.write)
        output.closeWrite()
        let reader = Reader(output.read)
        #expect(await reader.wait { $0.contains(10) })
        child.send(SIGHUP)
        child.send(SIGINT)
        let count = reader.text.count
        #expect(await reader.wait { $0.count > count + 200 })
        child.send(SIGTERM)
        #expect(await child.end() == .exit(143))
    }

    @Test(arguments: 1...6) func `A closed terminal is 129, however it is noticed`(run: Int) async throws {
        let session = try #require(try BareSession(["watch", Self.endpoint, "-i", "0.02"]))
        #expect(await session.read(until: "refused"))
        session.terminal.hangUp()
        #expect(await session.child.end() == .exit(129))
    }

    @Test(arguments: ["xterm", "dumb"]) func `It is 129 also if noticed by reads and writes only`(kind: String) async throws {
        let arguments = ["-c", "trap '' HUP; exec \"$0\" \"$@\"", PulseBinary.path, "watch", Self.endpoint, "-i", "0.02"]
        let session = try #require(try BareSession(arguments, program: ["/bin/sh"], environment: ["TERM": kind]))
        #expect(await session.read(until: "refused"))
        session.terminal.hangUp()
        #expect(await session.child.end() == .exit(129))
    }

    @Test(arguments: 1...10)
    func `A terminal that disconnects during the start terminates it too, or the signal does`(run: Int) async throws {
        let session = try #require(try BareSession())
        session.terminal.hangUp()
        #expect([.exit(129), .signal(SIGHUP)].contains(await session.child.end()))
    }

    @Test func `Ctrl-Z without a shell that could continue it does not suspend it`() async throws {
        let session = try await session()
        session.type("\u{1A}?")
        #expect(await session.wait { $0.text.contains("redraw") })
        session.type("qq")
        #expect(await session.child.end() == .exit(0))
        #expect(await session.isRestored())
    }

    @Test(arguments: ["\u{1A}", "TSTP"])
    func `Suspended from a shell it restores the terminal, and sets it up again when continued`(way: String) async throws {
        // A shell with job control: it waits for the stopped program, says so, and continues it after a line was typed.
        let script = "set -m; \"$0\" \"$@\"; echo stopped=$?; read line; fg >/dev/null; echo over=$?"
        let arguments = ["-c", script, PulseBinary.path, "watch", Self.endpoint, "-i", "0.02"]
        let session = try #require(
            try TerminalSession(arguments, program: ["/bin/bash"], size: Size(width: 80, height: 24)))
        #expect(await session.wait { $0.text.contains("▼ down") })
        if way == "TSTP" {
            let children = try String(
                contentsOfFile: "/proc/\(session.child.process)/task/\(session.child.process)/children", encoding: .utf8)
            kill(try #require(pid_t(children.split(separator: " ").first ?? "")), SIGTSTP)
        } else {
            session.type(way)
        }
        #expect(await session.wait { $0.text.contains("stopped=148") && !$0.isAlternateScreen && $0.isCursorVisible })
        #expect(session.terminal.modes == session.modesBefore)
        session.type("\n")
        #expect(await session.wait { $0.isAlternateScreen && $0.text.contains("▼ down") })
        session.type("q")
        // The cursor stands anywhere, so that the words may go on in the next line.
        #expect(await session.wait { $0.text.filter { $0 != "\n" }.contains("over=0") })
        #expect(await session.child.end() == .exit(0))
        #expect(await session.isRestored())
    }
}
