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
