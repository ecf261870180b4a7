import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("The command line of pulse tail", .countsResources)
struct TailArgumentTests {
    private func options(_ words: String...) throws -> TailOptions? {
        guard case .tail(let options) = try Invocation(parsing: ["tail"] + words) else { return nil }
        return options
    }

    @Test func `Files come before two hyphens, and a command with its flags after them`() throws {
        #expect(try options("a.log", "-n", "5", "b.log")?.files.map(\.relativePath) == ["a.log", "b.log"])
        #expect(try options("a.log", "-n", "5", "b.log")?.lines == 5)
        #expect(try options("a.log")?.lines == 10)
        let both = try options("a.log", "--", "make", "-n", "--lines")
        #expect(both?.files.map(\.relativePath) == ["a.log"] && both?.command == ["make", "-n", "--lines"] && both?.lines == 10)
        #expect(try options("--", "make")?.files == [])
        #expect(try options("--theme", "light", "--no-mouse", "a")?.isLight == true)
    }

    @Test(
        arguments: [
            ([], "pulse tail: a file, or -- and a command, is expected; see pulse help tail"),
            (["a", "--"], "pulse tail: no command follows --"),
            ([""], "pulse tail: an empty argument; a file is expected"), (["--", ""], "pulse tail: an empty argument; a file is expected"),
            (["-n", "-1", "a"], "pulse tail: --lines is a number from 0 to 1000000, not '-1'"),
            (["-n", "2000000", "a"], "pulse tail: --lines is a number from 0 to 1000000, not '2000000'"),
            (["-"], "pulse tail: standard input is no file to follow; for a program say pulse tail -- COMMAND"),
            (["--line", "3", "a"], "pulse tail: unknown flag '--line'; did you mean --lines?"),
        ])
    func `A usage error is reported in one line`(words: [String], sentence: String) {
        #expect(throws: UsageError(sentence)) { try Invocation(parsing: ["tail"] + words) }
    }
}
