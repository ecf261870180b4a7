/// A flag that a command knows.
struct Flag: Equatable {
    let name: String
    let short: String?
    /// What its value is called in the help; nil for a flag without a value.
    let value: String?
    let help: String

    init(_ name: String, short: String? = nil, value: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }

    static let help = Flag("--help", short: "-h", help: "this page")

    /// How it is written, for the help: `-X, --method METHOD`.
    var usage: String {
        let names = [short, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0)" } ?? names
    }
}

extension Command.Topic {
    /// The flags of the command, without `--help`, which every command has.
    var flags: [Flag] {
        switch self {
        case .watch:
            [
                Flag("--interval", short: "-i", value: "SECONDS", help: "time between two checks of an endpoint (5)"),
                Flag("--timeout", short: "-t", value: "SECONDS", help: "how long an answer may take (10)"),
                Flag("--once", help: "check each endpoint once, print a line for each; exit code 1 if one is down"),
                Flag("--json", help: "one JSON object a line instead of text"),
            ]
        case .get:
            [
                Flag("--method", short: "-X", value: "METHOD", help: "GET, or POST where there is data"),
                Flag("--header", short: "-H", value: "NAME:VALUE", help: "a header of the request; may be given again"),
                Flag("--data", short: "-d", value: "DATA", help: "the body of the request"),
                Flag("--timeout", short: "-t", value: "SECONDS", help: "how long the answer may take, such as 0.3 (30)"),
            ]
        case .serve:
            [Flag("--port", short: "-p", value: "NUMBER", help: "the port on 127.0.0.1; 0 takes a free one (8080)")]
        }
    }
}
