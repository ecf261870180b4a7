/// A flag of a command.
struct Flag: Equatable {
    /// What a shell offers as its value.
    enum Completion: Equatable {
        /// Nothing: any text.
        case text
        case files
        /// Files after an `@`.
        case filesAfterAt
        case words([String])
    }

    let name: String
    let short: String?
    /// The placeholder of its value in the help; `nil` for a flag without a value.
    let value: String?
    let help: String
    let completion: Completion

    init(_ name: String, short: String? = nil, value: String? = nil, help: String, completion: Completion = .text) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.completion = completion
    }

    static let help = Flag("--help", short: "-h", help: "this page")

    /// Its usage in the help: `-X, --method METHOD`, with all names in one column.
    var usage: String {
        let names = (short.map { "\($0), " } ?? "    ") + name
        return value.map { "\(names) \($0)" } ?? names
    }
}

/// Flags that belong together, under a title in the help.
struct FlagSection: Equatable {
    let title: String
    let flags: [Flag]
}

extension Command.Topic {
    /// The flags of the command, without `--help`, which every command has.
    var flags: [Flag] { sections.flatMap(\.flags) }

    /// The flags by what they are about.
    var sections: [FlagSection] {
        switch self {
        case .watch: [FlagSection(title: "Flags", flags: Self.checkFlags + Self.watchFlags)]
        case .view: [FlagSection(title: "Flags", flags: Self.viewFlags)]
        case .inspect: [FlagSection(title: "Flags", flags: Self.inspectFlags)]
        case .get: RequestFlags.ofGet
        case .download: RequestFlags.ofDownload
        case .serve:
            [
                FlagSection(
                    title: "Flags",
                    flags: [Flag("--port", short: "-p", value: "NUMBER", help: "the port on 127.0.0.1; 0 chooses a free one (8080)")])
            ]
        case .completion: []
        }
    }

    private static let checkFlags = [
        Flag("--interval", short: "-i", value: "SECONDS", help: "time between two checks of an endpoint (5)"),
        Flag("--timeout", short: "-t", value: "SECONDS", help: "the timeout of a request (10)"),
        Flag("--once", help: "check each endpoint once, print one line each; exit code 1 if one is down"),
        Flag("--json", help: "one JSON object per line instead of text"),
    ]
}
