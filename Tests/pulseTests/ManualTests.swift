import Foundation
import Streams
import StreamsTesting
import Testing

@testable import pulse

@Suite("The manual and the completions are made of the table of subcommands, and are installed where they are looked for", .countsResources)
struct ManualTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let hasGroff = FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")

    @Test func `The manual has every command with its flags, every key and every exit code`() {
        let page = ManualPage.text
        let plain = page.replacing("\\-", with: "-")
        for subcommand in Subcommand.all {
            #expect(plain.contains(".SS pulse \(subcommand.name)"))
            #expect(subcommand.flags.allSatisfy { plain.contains($0.names.joined(separator: ", ")) })
        }
        #expect(ExitCode.meanings.allSatisfy { plain.contains("\\fB\($0.codes.replacing("\\", with: "\\e"))\\fR") })
        #expect(DashboardKeys.all.lines.allSatisfy { page.contains($0.help.replacing("'", with: "\\(aq")) })
    }

    @Test func `The version that is printed is the newest of the Changelog`() throws {
        let changelog = try String(contentsOf: Self.root.appending(path: "Docs/Changelog.md"), encoding: .utf8)
        let newest = try #require(changelog.firstMatch(of: /\n## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d\n/)?.1)
        #expect(Streams.version == newest)
    }

    @Test func `README, the page, the help and the manual say in the same words what the program is`() throws {
        let pages = try ["README.md", "Docs/Pulse.md"].map { try String(contentsOf: Self.root.appending(path: $0), encoding: .utf8) }
        for text in pages + [Help.page(nil), ManualPage.text] {
            #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(Help.purpose))
        }
    }

    @Test(.enabled(if: hasGroff, "groff is not installed")) func `groff formats it without a warning`() async throws {
        let folder = try TestFolder()
        let file = try folder.file("pulse.1", ManualPage.text)
        let result = try await ShellRun.run(["/usr/bin/groff"], ["-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbou", "-rLL=78n", file])
        #expect(result.end == .exit(0) && result.errors == "")
        #expect(result.output.contains("\nSYNOPSIS\n") && result.output.contains("pulse watch --config FILE [URL...] [flags]"))
        #expect(result.output.contains("-w, --write-out FORMAT") && result.output.contains("'%{http_code} %{time_total}\\n'"))
    }

    @Test func `Each is written into its place below the home, whole, and its name is printed`() async throws {
        let home = try TestFolder()
        let places: [([String], String, String)] = [
            (["completion", "bash"], ".local/share/bash-completion/completions/pulse", Shell.bash.script),
            (["completion", "zsh"], ".local/share/zsh/site-functions/_pulse", Shell.zsh.script),
            (["completion", "fish"], ".config/fish/completions/pulse.fish", Shell.fish.script),
            (["man"], ".local/share/man/man1/pulse.1", ManualPage.text),
        ]
        let environment = ["HOME": home.path, "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""]
        for (words, path, text) in places {
            let result = try await ShellRun.pulse(words + ["--install"], environment: environment)
            #expect(result == .init(end: .exit(0), output: "\(home.path)/\(path)\n", errors: ""))
            #expect(try String(contentsOfFile: "\(home.path)/\(path)", encoding: .utf8) == text)
            #expect(try await ShellRun.pulse(words).output == text)
        }
    }

    @Test func `The folders of the environment are respected, and what cannot be written is one line`() async throws {
        let folder = try TestFolder()
        let environment = ["HOME": "/", "XDG_DATA_HOME": folder.path]
        #expect(try await ShellRun.pulse(["man", "--install"], environment: environment).output == "\(folder.path)/man/man1/pulse.1\n")
        _ = try folder.file("zsh", "")
        let failed = try await ShellRun.pulse(["completion", "zsh", "--install"], environment: environment)
        #expect(failed.end == .exit(ExitCode.outputFailure) && failed.output == "")
        #expect(failed.errors == "pulse: \(folder.path)/zsh/site-functions/_pulse could not be written: Not a directory\n")
        let homeless = try await ShellRun.pulse(["man", "--install"], environment: ["HOME": "", "XDG_DATA_HOME": ""])
        #expect(homeless.errors == "pulse man: --install needs the environment variable HOME\n")
    }
}
