/// The completion script for fish.
enum FishCompletion {
    static var script: String {
        let lines =
            Subcommand.all.map { "complete -c pulse -n __fish_use_subcommand -a \($0.name) -d \($0.summary.quotedForFish)" }
            + ["complete -c pulse -n __fish_use_subcommand -l version -d 'show the version'"] + Subcommand.all.flatMap(lines)
        return """
            # Completion of pulse for fish: save this as ~/.config/fish/completions/pulse.fish
            function __pulse_files_after_at
                set -l word (string replace -r '^--?[^=@]*=' '' -- (commandline -ct))
                string match -q '@*' -- $word; and __fish_complete_path (string sub -s 2 -- $word) | string replace -r '^' @
            end
            complete -c pulse -f
            \(lines.joined(separator: "\n"))

            """
    }

    private static func lines(_ subcommand: Subcommand) -> [String] {
        let condition = "complete -c pulse -n '__fish_seen_subcommand_from \(subcommand.name)'"
        let words = subcommand.completedWords
        let operands = words.isEmpty ? [] : ["\(condition) -a '\(words.joined(separator: " "))'"]
        return subcommand.completedFlags.map { flag in
            let short = flag.short.map { " -s \($0.dropFirst())" } ?? ""
            return "\(condition)\(short) -l \(flag.name.dropFirst(2))\(value(flag)) -d \(flag.help.quotedForFish)"
        } + operands
    }

    private static func value(_ flag: Flag) -> String {
        guard flag.value != nil else { return "" }
        switch flag.completion {
        case .text: return " -x"
        case .files: return " -r -F"
        case .filesAfterAt: return " -x -a '(__pulse_files_after_at)'"
        case .words(let words): return " -x -a '\(words.joined(separator: " "))'"
        }
    }
}

extension String {
    /// The text as one word of fish, where a backslash escapes a quote within quotes.
    fileprivate var quotedForFish: String { "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'" }
}
