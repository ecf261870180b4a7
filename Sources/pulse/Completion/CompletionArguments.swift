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
    fileprivate func installing(_ command: Command, file: InstalledFile) throws -> Command {
        guard has("--install") else { return command }
        guard let file = file.url(ProcessInfo.processInfo.environment) else {
            throw UsageError("pulse \(self.command): --install needs the environment variable HOME")
        }
        return .install(command, file: file)
    }
}
