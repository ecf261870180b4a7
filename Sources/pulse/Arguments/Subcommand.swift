/// A subcommand, as the parser, the help, the completion of shells and the manual need it.
struct Subcommand: Sendable {
    /// The words that a shell offers for the operands.
    enum Completion: Equatable {
        case none
        case urls
        case files
        case words([String])
        /// The names of the subcommands.
        case subcommands
    }

    let name: String
    /// The operand that follows the name in the overview; empty if there is none.
    var operand = ""
    /// A summary in a few words.
    let summary: String
    /// The forms of its command line, without `pulse`.
    let usages: [String]
    /// The description, in paragraphs.
    let description: String
    /// Command lines, as you type them.
    var examples = ""
    /// The flags by topic, without `--help`, which every subcommand has.
    var sections: [FlagSection] = []
    var completion = Completion.none
    let exitCodes: String
    /// Makes the command from its arguments.
    ///
    /// - Throws: `UsageError`.
    let parse: @Sendable (ArgumentReader) throws -> Invocation
}

extension Subcommand {
    /// All subcommands, in the order of the help. No other exists.
    static let all: [Subcommand] = [.watch, .view, .inspect, .tail, .get, .download, .serve, .completion, .manual, .help]

    static func named(_ name: String) -> Subcommand? { all.first { $0.name == name } }

    var flags: [Flag] { sections.flatMap(\.flags) }

    /// The flags, and `--help`.
    var completedFlags: [Flag] { flags + [.help] }

    /// Parses the arguments after the name of the subcommand.
    ///
    /// - Throws: `UsageError`, whose description is one line.
    func command(_ words: some Sequence<String>) throws -> Invocation {
        let reader = try ArgumentReader(words, command: name, flags: flags)
        return reader.has(Flag.help.name) ? .help(self) : try parse(reader)
    }
}

extension Subcommand: Equatable {
    static func == (left: Subcommand, right: Subcommand) -> Bool { left.name == right.name }
}

extension ArgumentReader {
    /// Returns the only operand; `nil` without one.
    ///
    /// - Throws: `UsageError` if there are more than `most`.
    func onlyOperand(most: Int = 1) throws -> String? {
        guard operands.count <= most else {
            throw UsageError("pulse \(command): unexpected argument \(operands[most].quotedForMessage); see pulse help \(command)")
        }
        return operands.first
    }
}

/// A flag of a command.
struct Flag: Equatable {
    /// The words that a shell offers as its value.
    enum Completion: Equatable {
        /// No words: any text.
        case text
        case files
        /// The files after an `@`.
        case filesAfterAt
        case words([String])
    }

    let name: String
    let short: String?
    /// The placeholder of its value in the help; `nil` for a flag without a value.
    let value: String?
    let help: String
    let completion: Completion
    /// The flag that this one is another name of.
    let counterpart: String?

    init(
        _ name: String, short: String? = nil, value: String? = nil, help: String, completion: Completion = .text, counterpart: String? = nil
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.completion = completion
        self.counterpart = counterpart
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
