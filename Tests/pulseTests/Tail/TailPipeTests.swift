import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("Without a terminal pulse tail prints plain lines", .countsResources)
struct TailPipeTests {
    private func shell(_ script: String) async throws -> ShellRun.Result {
        try await ShellRun.pulse(["tail", "--", "/bin/sh", "-c", script])
    }

    private func append(_ text: String, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state?.contains(") Z ") ?? true
    }

    @Test func `The lines of both outputs of a command, and its exit code`() async throws {
        #expect(try await shell("echo a; echo; printf last") == .init(end: .exit(0), output: "a\n\nlast\n", errors: ""))
        #expect(try await shell("echo e >&2; exit 3") == .init(end: .exit(3), output: "e\n", errors: "pulse: /bin/sh exited with 3\n"))
        #expect(try await shell("kill -TERM $$").end == .exit(143))
    }

    @Test func `A command that is not found is 127, and one that cannot be run 126`() async throws {
        let missing = try await ShellRun.pulse(["tail", "--", "no-such-program"])
        #expect(missing == .init(end: .exit(127), output: "", errors: "pulse: There is no program no-such-program\n"))
        let folder = try TestFolder()
        let file = try folder.file("text", "")
        let failed = try await ShellRun.pulse(["tail", "--", file])
        #expect(failed == .init(end: .exit(126), output: "", errors: "pulse: \(file) may not be executed\n"))
    }

    @Test
    func `Several files begin with their last lines, have names, and are followed over rotation and truncation, until the pipe closes`()
        async throws
    {
        let folder = try TestFolder()
        let first = try folder.file("a.log", "1\n2\n3\n")
        let second = try folder.file("b.log", "x\n")
        let run = try PipedRun(["tail", "-n", "2", first, second])
        #expect(
            await run.output.wait {
                String(decoding: $0, as: UTF8.self).contains("a.log: 3\n") && String(decoding: $0, as: UTF8.self).contains("b.log: x\n")
            })
        #expect(run.output.text.contains("a.log: 2\n") && !run.output.text.contains("a.log: 1\n"))
        try append("tab\there\n", to: second)
        #expect(await run.output.wait { String(decoding: $0, as: UTF8.self).contains("b.log: tab\there\n") })
        #expect(rename(first, first + ".1") == 0)
        _ = try folder.file("a.log", "rotated\n")
        #expect(await run.output.wait { String(decoding: $0, as: UTF8.self).contains("a.log: rotated\n") })
        try #require(FileHandle(forWritingAtPath: second)).truncate(atOffset: 0)
        try append("anew\n", to: second)
        #expect(await run.output.wait { String(decoding: $0, as: UTF8.self).contains("b.log: anew\n") })
        run.closeOutput()
        // When the pipe is closed is not known: some of these lines are before that.
        let hasEnded = Lock(false)
        Thread.detachNewThread { while !hasEnded.withLock(\.self) { try? append("nobody reads this\n", to: second) } }
        let end = await run.child.end()
        hasEnded.withLock { $0 = true }
        #expect(end == .exit(0))
        #expect(await run.errors.all() == "")
    }

    @Test func `One file has no names, and a file that is missing is waited for`() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/late.log"
        let run = try PipedRun(["tail", path])
        #expect(await run.errors.wait { String(decoding: $0, as: UTF8.self) == "pulse: \(path) does not exist yet: it is waited for\n" })
        _ = try folder.file("late.log", "born\n")
        #expect(await run.output.wait { String(decoding: $0, as: UTF8.self) == "born\n" })
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
    }

    @Test func `A folder is a line, and the others go on; if nothing can be followed the exit code is 1`() async throws {
        let folder = try TestFolder()
        let missing = folder.path + "/none/x.log"
        let result = try await ShellRun.pulse(["tail", folder.path, missing])
        #expect(result.end == .exit(1) && result.output == "")
        let errors = Set(result.errors.split(separator: "\n").map(String.init))
        #expect(errors == ["pulse: \(folder.path) is a directory", "pulse: \(folder.path)/none does not exist"])
        let file = try folder.file("a.log", "line\n")
        let run = try PipedRun(["tail", folder.path, file])
        #expect(await run.output.wait { String(decoding: $0, as: UTF8.self) == "a.log: line\n" })
        run.child.send(SIGINT)
        #expect(await run.child.end() == .exit(130))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything")) func `A file that may not be read is a line`() async throws {
        let folder = try TestFolder()
        let file = try folder.file("secret", "x\n")
        #expect(chmod(file, 0) == 0)
        let result = try await ShellRun.pulse(["tail", file])
        #expect(result == .init(end: .exit(1), output: "", errors: "pulse: There is no permission for \(file)\n"))
    }

    @Test func `What could control a terminal is a picture, and what is no UTF-8 a replacement`() async throws {
        let result = try await shell(#"printf 'a\033[2J\033]0;title\007b\377c\r\n\302\233d\n'"#)
        #expect(result.output == "a␛[2J␛]0;title␇b\u{FFFD}c\n\u{FFFD}d\n")
    }

    @Test func `A line of 100 MB is cut, and the next one is whole`() async throws {
        let result = try await shell("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo end")
        #expect(result.end == .exit(0))
        #expect(result.output.utf8.count == 16 * 1024 * 1024 + "\nend\n".utf8.count)
        #expect(result.output.hasSuffix("x\nend\n"))
    }

    @Test func `A command is ended with pulse`() async throws {
        let run = try PipedRun(["tail", "--", "/bin/sh", "-c", "echo $$; while :; do sleep 0.05; done"])
        #expect(await run.output.wait { $0.last == UInt8(ascii: "\n") })
        let command = try #require(pid_t(run.output.text.dropLast()))
        run.child.send(SIGTERM)
        #expect(await run.child.end() == .exit(143))
        // One that has ended may wait for whoever adopted it.
        #expect(await blocking { comesTrue { kill(command, 0) != 0 || Self.isZombie(command) } })
    }
}
