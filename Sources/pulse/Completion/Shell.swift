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
