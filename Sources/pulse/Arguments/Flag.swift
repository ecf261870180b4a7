/// A flag of a command.
struct Flag: Equatable {
    let name: String
    let short: String?
    /// The placeholder of its value in the help; `nil` for a flag without a value.
    let value: String?
    let help: String

    init(_ name: String, short: String? = nil, value: String? = nil, help: String) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
    }

    static let help = Flag("--help", short: "-h", help: "this page")

    /// Its usage in the help: `-X, --method METHOD`.
    var usage: String {
        let names = [short, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0)" } ?? names
    }
}

extension Command.Topic {
    /// The flags that describe a request.
    private static let requestFlags = [
        Flag("--method", short: "-X", value: "METHOD", help: "GET, or POST with --data"),
        Flag("--header", short: "-H", value: "NAME:VALUE", help: "a header of the request; may be repeated"),
        Flag("--data", short: "-d", value: "DATA", help: "the body of the request"),
    ]

    /// The flags of the command, without `--help`, which every command has.
    var flags: [Flag] {
        switch self {
        case .watch:
            [
                Flag("--interval", short: "-i", value: "SECONDS", help: "time between two checks of an endpoint (5)"),
                Flag("--timeout", short: "-t", value: "SECONDS", help: "the timeout of a request (10)"),
                Flag("--once", help: "check each endpoint once, print one line each; exit code 1 if one is down"),
                Flag("--json", help: "one JSON object per line instead of text"),
            ] + Self.watchFlags
        case .get:
            Self.requestFlags + [Flag("--timeout", short: "-t", value: "SECONDS", help: "the timeout of the request, such as 0.3 (30)")]
        case .download:
            [
                Flag("--output", short: "-o", value: "FILE", help: "the file to write"),
                Flag("--remote-name", short: "-O", help: "write to the last component of the URL's path, in this folder"),
                Flag("--force", short: "-f", help: "replace an existing file, once the download is complete"),
            ] + Self.requestFlags
                + [Flag("--timeout", short: "-t", value: "SECONDS", help: "the longest time without a byte from the server (30)")]
        case .serve:
            [Flag("--port", short: "-p", value: "NUMBER", help: "the port on 127.0.0.1; 0 chooses a free one (8080)")]
        }
    }
}
