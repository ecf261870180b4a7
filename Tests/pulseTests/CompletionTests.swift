import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("Shells complete commands, flags and their values", .countsResources)
struct CompletionTests {
    /// What bash offers for the last of these words, in the folder.
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

    @Test("bash, by sourcing the script", .enabled(if: has("bash")))
    func offers() async throws {
        #expect(try await bash([""]) == Command.Topic.allCases.map(\.rawValue) + ["help", "--help", "--version"])
        #expect(try await bash(["do"]) == ["download"])
        #expect(try await bash(["get", "--max"]) == ["--max-time", "--max-redirects"])
        #expect(try await bash(["get", "http://h", "-X", "P"]) == ["POST", "PUT", "PATCH"])
        #expect(try await bash(["get", "--method", "=", "DE"]) == ["DELETE"])
        #expect(try await bash(["completion", ""]) == ["bash", "zsh", "fish"])
        #expect(try await bash(["help", "se"]) == ["serve"])
        #expect(try await bash(["get", "-u", "a"]).isEmpty)
        #expect(try await bash(["frobnicate", "-"]).isEmpty)
        for topic in Command.Topic.allCases {
            #expect(try await bash([topic.rawValue, "-"]) == topic.completedFlags.flatMap(\.names))
        }
    }

    @Test("Files, also after an @, with blanks in their names", .enabled(if: has("bash")))
    func files() async throws {
        let folder = try TestFolder()
        _ = try folder.file("a b.json", "")
        _ = try folder.file("ac.json", "")
        #expect(try await bash(["get", "-d", "@a"], in: folder.path).sorted() == ["@a b.json", "@ac.json"])
        #expect(try await bash(["get", "-o", "ac"], in: folder.path) == ["ac.json"])
        #expect(try await bash(["get", "-d", "a"], in: folder.path).isEmpty)
    }

    @Test("zsh and fish can parse theirs", .enabled(if: has("zsh") || has("fish")))
    func syntax() async throws {
        let folder = try TestFolder()
        for shell in [Shell.zsh, .fish] where Self.has(shell.rawValue) {
            let script = try folder.file(shell.rawValue, shell.script)
            #expect(
                try await ShellRun.run(["/usr/bin/env", shell.rawValue, "-n"], [script]) == .init(end: .exit(0), output: "", errors: ""))
        }
    }

    @Test("Each script has every flag", arguments: Shell.allCases)
    func complete(shell: Shell) {
        for flag in Command.Topic.allCases.flatMap(\.completedFlags) {
            #expect(shell.script.contains(shell == .fish ? "-l \(flag.name.dropFirst(2))" : flag.name))
        }
    }
}
