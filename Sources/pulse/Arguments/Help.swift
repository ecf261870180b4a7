import NetNodes

/// The pages that `pulse help` prints.
enum Help {
    /// The purpose of the program; README and its page say it in the same words.
    static let purpose = "a terminal program that watches HTTP services, sends requests, follows logs and inspects running streams"

    static func page(_ subcommand: Subcommand?) -> String {
        guard let subcommand else { return overview }
        let usages = subcommand.usages.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + "pulse \($0.element)" }
        let examples = subcommand.examples.isEmpty ? [] : ["", "Examples:"] + subcommand.examples.split(separator: "\n").map { "  \($0)" }
        let sections = subcommand.sections.isEmpty ? [FlagSection(title: "Flags", flags: [])] : subcommand.sections
        let width = subcommand.completedFlags.map(\.usage.count).max() ?? 0
        let flags = sections.flatMap { section in
            let flags = section.flags + (section == sections.last ? [.help] : [])
            return ["", "\(section.title):"] + flags.map { "  \($0.usage.padding(to: width))  \($0.help)" }
        }
        let lines = usages + ["", subcommand.description] + examples + flags + ["", "Exit codes: \(subcommand.exitCodes)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static let overview = """
        pulse: \(purpose).

        Usage:
          \("pulse".padding(to: 22))  \(demo)
        \(Subcommand.all.map { "  \("pulse \($0.name) \($0.operand)".padding(to: 22))  \($0.summary)" }.joined(separator: "\n"))
          \("pulse --version".padding(to: 22))  show the version

        Keys of the screens:
          up, down  select        enter  details      space  pause      r  refresh now
          s         sort          /      filter       ?      every key  q  quit

        \(surroundings)

        Exit codes (those from 5 to 77 are curl's for the same fault):
        \(ExitCode.meanings.map { "  \($0.codes.padding(to: 18))  \($0.meaning)" }.joined(separator: "\n"))

        """

    /// The description of the program without a subcommand.
    static let demo = "a demo of the screens: a market-data service in this process, and a dashboard of it"
    static let surroundings = "Without a terminal (in a pipe, in CI) plain lines are printed, and there is no demo. NO_COLOR is respected."
}

extension Subcommand {
    static let help = Subcommand(
        name: "help",
        operand: "[COMMAND]",
        summary: "show the help of a command",
        usages: ["help [COMMAND]"],
        description: "Shows what there is, or all about one command. pulse COMMAND --help and pulse --help COMMAND do the same.",
        completion: .subcommands,
        exitCodes: "0; 2 for a usage error."
    ) { reader in
        guard let word = try reader.onlyOperand() else { return .help(nil) }
        if let subcommand = Subcommand.named(word) { return .help(subcommand) }
        let hint = nearestWord(to: word, among: Subcommand.all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("pulse help: there is no command \(word.quotedForMessage)\(hint)")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// Prints a page: a help, a completion script, the manual, the version.
@MainActor
struct PageCommand {
    let page: String

    func run() -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        console.print(page)
        console.flush { MainLoop.stop(code: ExitCode.success) }
        return MainLoop.run()
    }
}
