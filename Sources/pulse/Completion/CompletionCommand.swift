import Foundation

extension Subcommand {
    static let completion = Subcommand(
        name: "completion",
        operand: "SHELL",
        summary: "print the completion script of a shell",
        usages: ["completion SHELL", "completion SHELL --install"],
        description: """
            Prints the completion script of a shell: bash, zsh or fish. With --install it writes the script into the file in
            which the shell looks for it, and prints that file's name:

            bash: ~/.local/share/bash-completion/completions/pulse, of the package bash-completion.
            zsh: ~/.local/share/zsh/site-functions/_pulse, a folder to add to fpath before compinit in ~/.zshrc.
            fish: ~/.config/fish/completions/pulse.fish.
            """,
        examples: """
            source <(pulse completion bash)
            fpath+=(~/.local/share/zsh/site-functions); autoload -Uz compinit; compinit
            """,
        sections: [FlagSection(title: "Flags", flags: [.install])],
        completion: .words(Shell.allCases.map(\.rawValue)),
        exitCodes: "0; 2 for a usage error; 23 if the file could not be written."
    ) { reader in
        let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard let word = try reader.onlyOperand() else { throw UsageError("pulse completion: missing shell: \(names)") }
        guard let shell = Shell(rawValue: word) else {
            throw UsageError("pulse completion: \(word.quotedForMessage) is not one of \(names)")
        }
        return try reader.installing(.completion(shell), file: shell.file)
    }

    static let manual = Subcommand(
        name: "man",
        summary: "print the manual page",
        usages: ["man", "man --install"],
        description: """
            Prints the manual page. With --install it writes it into ~/.local/share/man/man1/pulse.1, where man finds it if
            pulse is in ~/.local/bin and that folder is in PATH, and prints that file's name.
            """,
        examples: "pulse man | man -l -",
        sections: [FlagSection(title: "Flags", flags: [.install])],
        exitCodes: "0; 2 for a usage error; 23 if the file could not be written."
    ) { reader in
        _ = try reader.onlyOperand(most: 0)
        return try reader.installing(.manual, file: ManualPage.file)
    }
}

extension Flag {
    fileprivate static let install = Flag("--install", help: "write it where it is looked for, and print the name of the file")
}

extension ArgumentReader {
    fileprivate func installing(_ command: Invocation, file: InstalledFile) throws -> Invocation {
        guard has("--install") else { return command }
        guard let file = file.url(ProcessInfo.processInfo.environment) else {
            throw UsageError("pulse \(self.command): --install needs the environment variable HOME")
        }
        return .install(command, file: file)
    }
}

/// A shell for which `pulse completion` prints a script.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script, made from the flags that the help describes.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }

    /// The place where the shell looks for the script.
    var file: InstalledFile {
        switch self {
        case .bash: .data("bash-completion/completions/pulse")
        case .zsh: .data("zsh/site-functions/_pulse")
        case .fish: .configuration("fish/completions/pulse.fish")
        }
    }
}

extension Subcommand {
    /// The words that a shell offers for the operands.
    var completedWords: [String] {
        switch completion {
        case .words(let words): words
        case .subcommands: Subcommand.all.map(\.name)
        case .none, .urls, .files: []
        }
    }
}

extension Flag {
    /// The names of the flag, the short one first.
    var names: [String] { [short, name].compactMap(\.self) }
}

extension String {
    /// The text as one word of a shell.
    var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}

/// A file of `pulse` at a place where another program of the system looks for it.
///
/// Source: [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/).
struct InstalledFile {
    private let variable: String
    private let folder: String
    private let path: String

    /// Returns a file below the user's data, by default `~/.local/share`.
    static func data(_ path: String) -> InstalledFile {
        InstalledFile(variable: "XDG_DATA_HOME", folder: ".local/share", path: path)
    }

    /// Returns a file below the user's configuration, by default `~/.config`.
    static func configuration(_ path: String) -> InstalledFile {
        InstalledFile(variable: "XDG_CONFIG_HOME", folder: ".config", path: path)
    }

    /// Returns a file below the user's state, by default `~/.local/state`.
    static func state(_ path: String) -> InstalledFile {
        InstalledFile(variable: "XDG_STATE_HOME", folder: ".local/state", path: path)
    }

    /// Returns the file; `nil` if the environment does not tell the home directory.
    func url(_ environment: [String: String]) -> URL? {
        if let chosen = environment[variable], chosen.hasPrefix("/") { return URL(filePath: chosen).appending(path: path) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(filePath: home).appending(path: "\(folder)/\(path)")
    }
}

/// `--install`: writes a text into a file, completely or not at all, and prints the file's name.
@MainActor
struct InstallCommand {
    let text: String
    let file: URL

    func run() -> Int32 {
        do {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            Console.printError("pulse: \(file.path) could not be written: \(ErrorWording.sentence(error))")
            return ExitCode.outputFailure
        }
        return PageCommand(page: "\(file.path)\n").run()
    }
}
