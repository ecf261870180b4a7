import Foundation
import Streams
import StreamsInspector
import StreamsTesting
import Testing

@testable import pulse

@Suite("pulse inspect in a script", .serialized, .countsResources)
struct InspectCommandTests {
    private let folder = Result { try TestFolder() }

    private func path(_ name: String = "shop.sock") throws -> String { try folder.get().url.appending(path: name).path }

    private func run(_ words: String..., answers: [String]) async throws -> ShellRun.Result {
        let server = try SnapshotServer(at: try path(), answers: answers)
        defer { server.stop() }
        return try await ShellRun.pulse(["inspect", server.path] + words)
    }

    private func answer(_ snapshot: InspectorSnapshot) -> String { snapshot.json }

    @Test func `--once prints the tree, and why nothing arrives`() async throws {
        let result = try await run("--once", answers: [answer(SampleSnapshots.shop())])
        #expect(result.end == .exit(0) && result.errors == "")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "shop 4242: 4 chains, 9 operators")
        #expect(lines[1].hasPrefix("OPERATOR") && lines[2].hasPrefix("observe(on:)") && lines[4].hasPrefix("    interval"))
        #expect(lines[4].contains("suspended") && lines[4].hasSuffix("Shop/Orders.swift:10"))
        #expect(result.output.contains("Why nothing arrives:\n  `zip` (Shop/Orders.swift:20)"))
    }

    @Test func `As many operators are asked for as --limit says, 5,000 without it, and the others are counted`() async throws {
        let requests = Lock<[String]>([])
        var snapshot = SampleSnapshots.shop()
        (snapshot.totals.hidden, snapshot.totals.outside) = (2, 90_000)
        let text = answer(snapshot)
        let server = try SnapshotServer(at: try path()) { request, connection in
            requests.withLock { $0.append(request) }
            SnapshotServer.send(Array(text.utf8), to: connection)
        }
        defer { server.stop() }
        let result = try await ShellRun.pulse(["inspect", server.path, "--once"])
        #expect(result.output.hasPrefix("shop 4242: 4 chains, 9 operators, 90002 more not shown\n"))
        for words in [["--limit", "7"], ["--skip", "20"], ["--limit", "3", "--skip", "4"]] {
            _ = try await ShellRun.pulse(["inspect", server.path, "--once"] + words)
        }
        #expect(requests.withLock(\.self) == ["snapshot 0 5000", "snapshot 0 7", "snapshot 20 5000", "snapshot 4 3"])
    }

    @Test func `Without a terminal the tree is printed once`() async throws {
        let result = try await run(answers: [answer(SampleSnapshots.shop())])
        #expect(result.end == .exit(0) && result.output.hasPrefix("shop 4242: 4 chains"))
    }

    @Test func `--json, --dot and --prometheus print these forms`() async throws {
        let snapshot = SampleSnapshots.shop()
        let json = try await run("--json", answers: [answer(snapshot)])
        #expect(try JSONDecoder().decode(InspectorSnapshot.self, from: Data(json.output.utf8)) == snapshot)
        #expect(try await run("--dot", answers: [answer(snapshot)]).output == snapshot.dot())
        #expect(try await run("--prometheus", answers: [answer(snapshot)]).output == snapshot.prometheus())
    }

    @Test func `--fail-on exits with 1 where the condition holds, and says what it counted`() async throws {
        let shops = [SampleSnapshots.shop(leaks: 1), SampleSnapshots.shop(at: 5, leaks: 4)]
        let one = [SampleSnapshots.answer(counting: shops[0]), answer(shops[0])]
        let two = shops.map(SampleSnapshots.answer(counting:)) + [answer(shops[1])]
        let leaked = try await run("--fail-on", "leaked > 0", "--over", "0.01", answers: two)
        #expect(leaked.end == .exit(1))
        #expect(leaked.errors == "pulse: leaked > 0 holds: it is 3: 3 `interval` (Shop/Orders.swift:50)\n")
        #expect(try await run("--fail-on", "leaked > 3", "--over", "0.01", answers: two).end == .exit(0))
        #expect(try await run("--fail-on", "errors >= 12", "--json", answers: one).end == .exit(1))
        #expect(try await run("--fail-on", "suspended = 0", answers: one).end == .exit(0))
    }

    @Test(arguments: [
        ("", "the answer is no snapshot: the answer of "), ("garbage\n", "the answer is no snapshot: it has 7 B of something else"),
        ("{\"format\":1", "the answer is no snapshot: the answer of "),
        ("{\"error\":\"out of \u{1B}[2J coffee\"}\n", "the process answers: out of ␛[2J coffee"),
        ("{\"format\":1,\"process\":-1,\"program\":\"\",\"time\":1e999}\n", "the answer is no snapshot: it has "),
    ])
    func `An answer that is no snapshot is one line and exit code 8`(text: String, sentence: String) async throws {
        let result = try await run("--once", answers: [text.replacing("\u{1B}", with: "\\u001b")])
        #expect(result.end == .exit(8) && result.output == "" && result.errors.hasPrefix("pulse: \(sentence)"))
        #expect(result.errors.count { $0 == "\n" } == 1 && !result.errors.contains("\u{1B}"))
    }

    @Test func `A newer format is named`() async throws {
        var snapshot = SampleSnapshots.shop()
        snapshot.format = 9
        let result = try await run("--once", answers: [answer(snapshot)])
        #expect(result.end == .exit(8) && result.errors == "pulse: the answer is no snapshot: it has format 9, and this pulse reads 1\n")
    }

    @Test func `One that never answers is exit code 28`() async throws {
        let open = Lock<[Int32]>([])
        let server = try SnapshotServer(at: try path()) { _, connection in open.withLock { $0.append(dup(connection)) } }
        defer { server.stop() }
        let result = try await ShellRun.pulse(["inspect", server.path, "--once", "-t", "0.05"])
        for descriptor in open.withLock(\.self) { close(descriptor) }
        #expect(result.end == .exit(28))
        #expect(result.errors == "pulse: the process has not answered for 0.1 s: it may be stopped, or be no inspector\n")
    }

    @Test func `One that never stops answering is cut, and exit code 8`() async throws {
        let server = try SnapshotServer(at: try path()) { _, connection in
            let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 1 << 20)
            while zeros.withUnsafeBytes({ Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }) > 0 {}
        }
        defer { server.stop() }
        let run = try PipedRun(["inspect", server.path, "--json"])
        #expect(await run.child.end() == .exit(8))
        #expect(await run.errors.all().hasSuffix("has more than 67108864 bytes\n"))
    }

    @Test func `Names with escape sequences are printed as pictures, on a pipe too`() async throws {
        var snapshot = SampleSnapshots.shop()
        snapshot.program = "\u{1B}[31mshop"
        snapshot.nodes[0].operatorName = "\u{1B}[2Jmap"
        for form in ["--once", "--dot", "--prometheus", "--json"] {
            let result = try await run(form, answers: [answer(snapshot)])
            #expect(result.end == .exit(0) && !result.output.contains("\u{1B}"))
        }
    }

    @Test func `What is no socket, and a process that does not exist or cannot be inspected, is exit code 7`() async throws {
        let run = try folder.get()
        let environment = ["XDG_RUNTIME_DIR": run.path]
        let file = try run.file("file", "")
        for (argument, sentence) in [
            (file, "\(file) is not a socket"), (try path("none"), "\(try path("none")) is not a socket"),
            ("2147483647", "there is no process 2147483647"),
            ("\(getpid())", "process \(getpid()) cannot be inspected: \(InspectFailure.hint)"),
        ] {
            let result = try await ShellRun.pulse(["inspect", argument], environment: environment)
            #expect(result == ShellRun.Result(end: .exit(7), output: "", errors: "pulse: \(sentence)\n"))
        }
        let none = try await ShellRun.pulse(["inspect", "--list"], environment: environment)
        #expect(none.end == .exit(7) && none.errors == "pulse: no process of this user can be inspected: \(InspectFailure.hint)\n")
    }

    @Test func `--list names the processes, the only one needs no number, and of several one must be named`() async throws {
        let runtime = try folder.get()
        let sockets = runtime.url.appending(path: "streams")
        try FileManager.default.createDirectory(at: sockets, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let environment = ["XDG_RUNTIME_DIR": runtime.path]
        let first = try SnapshotServer(
            at: sockets.appending(path: "\(getpid())-a.sock").path,
            answers: [SampleSnapshots.answer(counting: SampleSnapshots.shop()), answer(SampleSnapshots.shop())])
        defer { first.stop() }
        let list = try await ShellRun.pulse(["inspect", "--list"], environment: environment)
        let number = "\(getpid())".padding(toLength: max(3, "\(getpid())".count), withPad: " ", startingAt: 0)
        #expect(list.output.split(separator: "\n").last == "\(number)  shop     4")
        #expect(try await ShellRun.pulse(["inspect", "--once"], environment: environment).output.hasPrefix("shop 4242:"))
        #expect(try await ShellRun.pulse(["inspect", "\(getpid())", "--once"], environment: environment).end == .exit(0))
        let second = try SnapshotServer(at: sockets.appending(path: "\(getppid())-b.sock").path, answers: ["no"])
        defer { second.stop() }
        let several = try await ShellRun.pulse(["inspect"], environment: environment)
        #expect(several.end == .exit(2) && several.output.split(separator: "\n").count == 3)
        #expect(several.errors == "pulse: several processes can be inspected: say which, pulse inspect PID\n")
    }
}
