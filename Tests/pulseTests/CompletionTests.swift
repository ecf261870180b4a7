import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("Shells complete commands, flags and their values", .countsResources)
struct CompletionTests {
    /// The completions of bash for the last of these words, in the folder.
    private func bash(_ words: [String], in folder: String = "/") async throws -> [String] {
        let script = """
            cd \(folder.quotedForShell)
            source <("$0" completion bash)
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pulse 2>/dev/null
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let result = try await ShellRun.run(["/usr/bin/env", "bash", "--norc", "-c", script], [PulseBinary.path, "pulse"] + words)
        #expect(result.errors == "")
        return result.output.split(separator: "\n").map(String.init)
    }

    private static func has(_ shell: String) -> Bool {
        ["/bin", "/usr/bin", "/usr/local/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)") }
    }

    @Test(.enabled(if: has("bash"))) func `bash, by sourcing the script`() async throws {
        #expect(try await bash([""]) == Subcommand.all.map(\.name) + ["--help", "--version"])
        #expect(try await bash(["do"]) == ["download"])
        #expect(try await bash(["get", "--max"]) == ["--max-time", "--max-redirects", "--max-redirs"])
        #expect(try await bash(["get", "http://h", "-X", "P"]) == ["POST", "PUT", "PATCH"])
        #expect(try await bash(["get", "--method", "=", "DE"]) == ["DELETE"])
        #expect(try await bash(["completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try await bash(["help", "se"]) == ["serve"])
        #expect(try await bash(["get", "-u", "a"]).isEmpty)
        #expect(try await bash(["frobnicate", "-"]).isEmpty)
        for subcommand in Subcommand.all {
            #expect(try await bash([subcommand.name, "-"]) == subcommand.completedFlags.flatMap(\.names))
        }
    }

    @Test(.enabled(if: has("bash"))) func `Files after an @, whatever is in their names`() async throws {
        let folder = try TestFolder()
        for name in ["a b.json", "a*.json", "ac.json"] { _ = try folder.file(name, "") }
        #expect(try await bash(["get", "-d", "@a"], in: folder.path).sorted() == ["@a b.json", "@a*.json", "@ac.json"])
        #expect(try await bash(["get", "-d", "@", "a*"], in: folder.path) == ["@a*.json"])
        #expect(try await bash(["get", "-F", "b", "=@", "ac"], in: folder.path) == ["@ac.json"])
        #expect(try await bash(["get", "-d", "a"], in: folder.path).isEmpty)
    }

    @Test(.enabled(if: has("bash"))) func `bash, in its line editor, with files of any name`() async throws {
        let folder = try TestFolder()
        for name in ["only one.json", "star*.json", "star-less.json", "line\nbreak.json"] { _ = try folder.file(name, "") }
        let script = try folder.file("script", Shell.bash.script)
        // The completed line is written down, and each prompt has a number, by which the test knows that the line was run.
        let start = try folder.file(
            "start",
            """
            source \(script.quotedForShell)
            cd \(folder.path.quotedForShell)
            pulse() { printf '%s|' "$@" >> words; printf '\\0' >> words; }
            PROMPT_COMMAND='PS1="ready-$((++prompts))."'
            """)
        let session = try #require(
            try BareSession(["bash", "--noprofile", "--rcfile", start, "-i"], program: ["/usr/bin/env"]))
        #expect(await session.read(until: "ready-1."))
        let lines = [
            ("get -o on\t", "get|-o|only one.json|"), ("get --output=star\\*\t", "get|--output=star*.json|"),
            ("get -O -d @on\t", "get|-O|-d|@only one.json|"), ("get -F a=@star\\*\t", "get|-F|a=@star*.json|"),
            ("get --cacert li\t", "get|--cacert|line\nbreak.json|"), ("get -d @li\t", "get|-d|@line\nbreak.json|"),
            ("watch --config on\t", "watch|--config|only one.json|"), ("watch --export on\t", "watch|--export|only one.json|"),
            ("watch --record on\t", "watch|--record|only one.json|"), ("watch --replay on\t", "watch|--replay|only one.json|"),
            ("watch --alerts on\t", "watch|--alerts|only one.json|"), ("get -X DEL\t", "get|-X|DELETE|"),
        ]
        for (number, (typed, _)) in lines.enumerated() {
            await session.type(Array("pulse \(typed)\r".utf8))
            #expect(await session.read(until: "ready-\(number + 2)."))
        }
        await session.type(Array("exit\r".utf8))
        _ = await session.drainUntilEnd()
        let words = try String(contentsOf: folder.url.appending(path: "words"), encoding: .utf8)
        #expect(words.split(separator: "\0").map(String.init) == lines.map(\.1))
    }

    /// The completions of fish for the last word of a line, without descriptions.
    private func fish(_ line: String) async throws -> [String] {
        let home = try TestFolder()
        defer { withExtendedLifetime(home) {} }

        let script = "source (\(PulseBinary.path.quotedForShell) completion fish | psub); complete -C \(line.quotedForShell)"
        let result = try await ShellRun.run(
            ["/usr/bin/env", "fish", "--no-config", "-c", script], [], environment: ["HOME": home.path])
        #expect(result.errors == "")
        return result.output.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map(String.init) }
    }

    @Test(.enabled(if: has("fish"), "fish is not installed")) func `fish, by sourcing the script`() async throws {
        let folder = try TestFolder()
        let file = try folder.file("a.json", "")
        #expect(try await fish("pulse ") == Subcommand.all.map(\.name).sorted())
        #expect(try await fish("pulse do") == ["download"])
        #expect(try await fish("pulse get --max") == ["--max-redirects", "--max-time"])
        #expect(try await fish("pulse get -X P") == ["PATCH", "POST", "PUT"])
        #expect(try await fish("pulse get --method=DE") == ["--method=DELETE"])
        #expect(try await fish("pulse completion ") == ["bash", "fish", "zsh"])
        #expect(try await fish("pulse help se") == ["serve"])
        #expect(try await fish("pulse get -d \(folder.path)/").isEmpty)
        #expect(try await fish("pulse get -d @\(folder.path)/") == ["@\(file)"])
        #expect(try await fish("pulse get -o \(folder.path)/") == [file])
        #expect(folder.names == ["a.json"])
        #expect(try await fish("pulse frob -").isEmpty)
    }

    @Test(.enabled(if: has("zsh"), "zsh is not installed")) func `zsh, in its line editor`() async throws {
        let folder = try TestFolder()
        _ = try folder.file("only.json", "")
        let script = try folder.file("_pulse", Shell.zsh.script)
        // The completed line is written down, and each prompt has a number, by which the test knows that the line was run.
        _ = try folder.file(
            ".zshrc",
            """
            unsetopt prompt_sp prompt_cr global_rcs beep
            autoload -U compinit && compinit -u -D
            source \(script.quotedForShell)
            cd \(folder.path.quotedForShell)
            pulse() { print -r -- "$*" >> words }
            precmd() { PS1="ready-$((++prompts))." }
            """)
        let session = try #require(
            try BareSession(["zsh", "-d", "-i"], program: ["/usr/bin/env"], environment: ["ZDOTDIR": folder.path]))
        #expect(await session.read(until: "ready-1."))
        let lines = [
            ("do\t-O", "download -O"), ("completion f\t", "completion fish"), ("get --max-t\t1", "get --max-time=1"),
            ("get -X DE\t", "get -X DELETE"), ("help se\t", "help serve"), ("get -o on\t", "get -o only.json"),
            ("get -d @on\t", "get -d @only.json"),
        ]
        for (number, (typed, _)) in lines.enumerated() {
            await session.type(Array("pulse \(typed)\r".utf8))
            #expect(await session.read(until: "ready-\(number + 2)."))
        }
        await session.type(Array("pulse completion \t".utf8))
        #expect(await session.read(until: "bash  fish  zsh"))
        // Keys that are typed before the interruption has been handled are lost.
        await session.type([0x03])
        #expect(await session.read(until: "ready-\(lines.count + 2)."))
        await session.type(Array("exit\r".utf8))
        _ = await session.drainUntilEnd()
        let words = try String(contentsOf: folder.url.appending(path: "words"), encoding: .utf8)
        #expect(words.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == lines.map(\.1))
    }

    @Test(arguments: Shell.allCases) func `Each script has every flag`(shell: Shell) {
        for flag in Subcommand.all.flatMap(\.completedFlags) {
            #expect(shell.script.contains(shell == .fish ? "-l \(flag.name.dropFirst(2))" : flag.name))
        }
    }
}
