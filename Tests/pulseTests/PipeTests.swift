import Foundation
import StreamsTesting
import TestSupport
import Testing

@Suite("Without a terminal plain lines are printed, and a closed pipe exits quietly", .serialized, .countsResources)
struct PipeTests {
    @Test func `A watch prints lines without control sequences and exits with 0 when the pipe is closed`() async throws {
        let run = try PipedRun(["watch", "http://127.0.0.1:1/", "--interval", "0.05"])
        #expect(await run.output.wait() { $0.count { $0 == 10 } >= 2 })
        #expect(run.output.text.contains("  down  -"))
        #expect(!run.output.text.contains("\u{1B}"))
        run.closeOutput()
        #expect(await run.child.end() == .exit(0))
        #expect(await run.errors.all() == "")
    }

    @Test func `It exits with 143 at SIGTERM, also when its output is not read`() async throws {
        let output = try Pipe()
        let errors = try Pipe()
        defer { output.closeWrite() }
        // Room for a few lines, and then each write waits for ever.
        let filler = [UInt8](repeating: 0x2E, count: 65_536 - 100)
        #expect(write(output.write, filler, filler.count) == filler.count)
        let child = try Child.start(["watch", "http://127.0.0.1:1/", "-i", "0.05"], output: output.write, errors: errors.write)
        errors.closeWrite()
        let reader = Reader(errors.read)
        #expect(await blocking { comesTrue { output.bytesInside >= 65_536 - 30 } })
        child.send(SIGTERM)
        #expect(await child.end() == .exit(143))
        #expect(await reader.all() == "")
        close(output.read)
    }

    @Test(arguments: [[:], ["TERM": "dumb"]])
    func `Without a command it says what to do where there is no terminal, prints nothing else and exits with 2`(
        environment: [String: String]
    ) async throws {
        let sentence =
            "pulse: say what to do: pulse watch URL, pulse get URL, pulse tail FILE, or pulse --help; the demo needs a terminal\n"
        #expect(try await ShellRun.pulse([], environment: environment) == .init(end: .exit(2), output: "", errors: sentence))
    }

    @Test func `Help is printed on standard output, and a usage error on standard error with 2`() async throws {
        for (words, text) in [
            (["--help"], /pulse: a terminal program that watches HTTP services/), (["help", "watch"], /--interval SECONDS/),
            (["--version"], /^pulse \d+\.\d+\.\d+\n$/),
        ] {
            let help = try await ShellRun.pulse(words)
            #expect(help.end == .exit(0))
            #expect(help.output.contains(text))
        }
        for (words, sentence) in [
            (["watch", "http://h", "--onec"], "pulse watch: unknown flag '--onec'; did you mean --once?\n"),
            (["get", "http://"], "pulse get: 'http://' has no host\n"),
        ] {
            #expect(try await ShellRun.pulse(words) == .init(end: .exit(2), output: "", errors: sentence))
        }
    }
}
