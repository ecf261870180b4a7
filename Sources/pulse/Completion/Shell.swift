/// A shell for which `pulse completion` prints a script.
enum Shell: String, CaseIterable {
    case bash
    case zsh
    case fish

    /// The script, made of the flags that the help describes.
    var script: String {
        switch self {
        case .bash: BashCompletion.script
        case .zsh: ZshCompletion.script
        case .fish: FishCompletion.script
        }
    }
}

extension Command.Topic {
    /// What the command does, in a few words.
    var summary: String {
        switch self {
        case .watch: "monitor services: state, latency, uptime"
        case .view: "show what another pulse watches"
        case .inspect: "see every running stream of a process"
        case .get: "send one request and print the response"
        case .download: "write a response into a file, continuing an interrupted download"
        case .serve: "run only the demo's service"
        case .completion: "print the completion script of a shell"
        }
    }

    /// The words that may follow the command itself.
    var operands: [String] { self == .completion ? Shell.allCases.map(\.rawValue) : [] }

    /// The command's flags, and `--help`.
    var completedFlags: [Flag] { flags + [.help] }
}

extension Flag {
    /// Its names, the short one first.
    var names: [String] { [short, name].compactMap(\.self) }
}

extension String {
    /// As one word of a shell.
    var quotedForShell: String { "'" + replacing("'", with: "'\\''") + "'" }
}
