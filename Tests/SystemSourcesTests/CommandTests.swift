import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("Commands", .countsResources, .blocksThread)
struct CommandTests {
    @Test func `Lines of both outputs are emitted, then the status`() {
        let outcome = shell("echo one; echo two >&2; printf three; exit 7").run().ended()
        #expect(outcome.error == nil)
        #expect(outcome.elements.filter { if case .output = $0 { true } else { false } } == [.output("one"), .output("three")])
        #expect(outcome.elements.contains(.errorOutput("two")))
        #expect(outcome.elements.last == .exited(.code(7)))
    }

    @Test func `A program is run anew by each subscription, and not before it`() throws {
        let place = try Workplace()
        let runs = shell("echo x >> count; wc -l < count | tr -d ' '").in(place.folder).lines()
        #expect(!FileManager.default.fileExists(atPath: place.url("count").path))
        #expect(runs.ended().elements == ["1"])
        #expect(runs.ended().elements == ["2"])
    }

    @Test func `Arguments arrive as they are: no shell reads them`() throws {
        let arguments = ["two words", "", "a\nb", "$HOME", "'", "\"", "*", "; exit 9", "ä🙂", "-n"]
        let output = try Command("printf", arguments: ["<%s>"] + arguments).output().ended().one()
        #expect(output.text == arguments.map { "<\($0)>" }.joined())
        #expect(output.status.isSuccess)
    }

    @Test func `Environment, directory and input are the command's own`() throws {
        let place = try Workplace()
        var command = shell("pwd -P; echo $NAME; cat")
        command.environment = ["NAME": "value = 1", "PATH": "/usr/bin:/bin"]
        command.directory = place.folder
        command.input = .data(Data("input".utf8))
        let folder = place.folder.resolvingSymlinksInPath().path
        #expect(command.lines().ended().elements == [folder, "value = 1", "input"])
        #expect(shell("cat").lines().ended().elements == [])
    }

    @Test func `A program ended by a signal says which`() {
        #expect(shell("kill -KILL $$").run().ended().elements == [.exited(.signal(SIGKILL))])
        // Dispatch's threads block signals, and tests ignore some: a child starts with the defaults.
        #expect(shell("kill -TERM $$; echo survived").run().ended().elements == [.exited(.signal(SIGTERM))])
        #expect(shell("kill -PIPE $$; echo survived").run().ended().elements == [.exited(.signal(SIGPIPE))])
    }

    @Test func `What cannot be run is a typed error`() throws {
        let place = try Workplace()
        let plain = try place.write("plain", "text")
        let noFormat = try place.script("noFormat", "\u{1}\u{2}")
        let noInterpreter = try place.script("noInterpreter", "#!/missing/interpreter\n")
        let cases: [(Command, Command.Failure)] = [
            (Command("no-such-program-anywhere"), .notFound(program: "no-such-program-anywhere")),
            (Command(""), .notFound(program: "")),
            (Command("/no/such/program"), .notFound(program: "/no/such/program")),
            (Command(place.folder.path), .notPermitted(program: place.folder.path)),
            (Command(plain.path), .notPermitted(program: plain.path)),
            (Command(noFormat.path), .notExecutable(program: noFormat.path)),
            (Command(noInterpreter.path), .notFound(program: noInterpreter.path)),
            (Command("true", "a\0b"), .containsNull("a\0b")),
            (Command("true").in(place.url("missing")), .directoryNotFound(path: place.url("missing").path)),
            (Command("true", String(repeating: "x", count: 10_000_000)), .argumentsTooLong),
        ]
        for (command, error) in cases {
            #expect(command.run().ended().error as? Command.Failure == error, "\(command.program)")
        }
        var search = Command("plain")
        search.environment = ["PATH": place.folder.path]
        #expect(search.run().ended().error as? Command.Failure == .notPermitted(program: "plain"))
    }

    @Test func `Lines fail with the status and the end of the standard error, after the lines`() {
        let outcome = shell("echo line; echo why >&2; exit 3").lines().ended()
        #expect(outcome.elements == ["line"])
        #expect(outcome.error as? Command.Failure == .failed(program: "/bin/sh", .code(3), errorOutput: "why"))
        #expect(outcome.error?.localizedDescription == "/bin/sh exited with 3: why")
        let failed = shell("echo why >&2; kill -9 $$").successfulOutput().ended().error
        #expect(failed as? Command.Failure == .failed(program: "/bin/sh", .signal(9), errorOutput: "why"))
        #expect(shell("exit 3").output().ended().elements.first?.status == .code(3))
    }

    @Test(arguments: [
        ("head -c 1000000 /dev/zero | tr '\\0' e >&2; printf ' end' >&2", " end"),
        ("yes '' | head -n 1000000 >&2; printf ' end' >&2", "end"),
        // One character with a million accents, and then one of three bytes that is cut.
        ("printf e >&2; yes '\u{301}' | head -n 1000000 | tr -d '\\n' >&2", "\u{301}"),
        ("yes '\u{20AC}' | head -n 1000000 | tr -d '\\n' >&2; printf ' ends' >&2", " ends"),
    ])
    func `Of much on the standard error the error has the last bytes`(script: String, end: String) throws {
        for command in [shell("\(script); exit 3").lines(), shell("\(script); exit 3").successfulOutput().asObservable().map { _ in "" }] {
            guard case .failed(_, .code(3), let text)? = command.ended().error as? Command.Failure else {
                Issue.record("no error")
                continue
            }
            #expect(text.utf8.count <= Command.excerptLimit && text.utf8.suffix(end.utf8.count).elementsEqual(end.utf8))
            #expect(!text.unicodeScalars.contains("\u{FFFD}"))
        }
    }

    @Test func `A large output arrives whole, and a large input too`() throws {
        let lines = try shell("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done").lines().ended().get()
        #expect(lines == (0..<20_000).map { "\($0)" })
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var cat = Command("cat")
        cat.input = .data(data)
        #expect(try cat.output().ended().one().data == data)
    }

    @Test func `A program that does not read its input ends as usual: there is no SIGPIPE`() {
        var command = shell("exec <&-; echo done")
        command.input = .data(Data(count: 1_000_000))
        #expect(command.run().ended().elements == [.output("done"), .exited(.code(0))])
    }

    @Test func `Too much output is a typed error, and ends the program`() {
        let outcome = Command("yes").output().ended()
        #expect(outcome.error as? Command.Failure == .outputTooLarge(limit: 64 * 1024 * 1024))
        var endless = Command("/bin/cat", "/dev/zero")
        endless.lineOptions.maximumLength = 100_000
        #expect(endless.run().ended().error as? SystemSourceError == .lineTooLong(number: 1, limit: 100_000))
    }

    @Test func `A program that closes its outputs is waited for`() throws {
        let place = try Workplace()
        let pipe = try place.fifo("pipe")
        let arrivals = Arrivals(shell("exec >&- 2>&-; read line < pipe; exit $line").in(place.folder).run())
        let writer = try FileHandle(forWritingTo: pipe)
        try writer.write(contentsOf: Data("5\n".utf8))
        #expect(arrivals.next() == .next(.exited(.code(5))))
        #expect(arrivals.next() == .completed)
    }

    @Test func `A process that the program leaves running holds nothing up`() throws {
        let events = shell("sleep 1000 & echo $!; exit 4").run().ended().elements
        #expect(events.last == .exited(.code(4)))
        guard case .output(let number)? = events.first, let grandchild = pid_t(number) else {
            Issue.record("\(events)")
            return
        }
        #expect(kill(grandchild, SIGKILL) == 0)
    }

    @Test(.enabled(if: isLinux), arguments: ["exit 4", "exec sleep 1000"])
    func `A process that has left the session goes on, and neither the end nor the disposal waits for it`(rest: String) throws {
        let place = try Workplace()
        // The program goes on when the process that it has started is in a session of its own, and has said so.
        _ = try place.fifo("began")
        var command = shell("setsid sh -c 'echo $$; echo >began; exec sleep 1000' & read line <began; echo ready; \(rest)")
        command.gracePeriod = .milliseconds(10)
        var lines: [String] = []
        expectNothingLeft(within: bound) {
            let program = Arrivals(command.in(place.folder).run())
            while lines.last != "ready", case .next(.output(let line))? = program.next() { lines.append(line) }
            if rest == "exit 4" { #expect(program.next() == .next(.exited(.code(4))) && program.next() == .completed) }
            program.dispose()
        }
        let escaped = try #require(pid_t(lines.first ?? ""))
        #expect(kill(escaped, SIGKILL) == 0)
    }

    @Test func `The child inherits the three standard descriptors, and no other`() throws {
        let place = try Workplace()
        let file = try place.write("file", "")
        let inheritable = open(file.path, O_RDONLY)
        defer { close(inheritable) }
        let links = try Command("ls", "-l", "/proc/self/fd").output().ended().one().text
        #expect(!links.contains(file.path))
        // The fourth is that of the folder which ls reads.
        #expect(links.matches(of: #/(\d+) -> /#).map(\.1) == ["0", "1", "2", "3"])
    }
}
