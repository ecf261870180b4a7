import Foundation
import TerminalViews

/// The command that `pulse` runs.
enum Invocation: Equatable {
    case demo
    case watch(WatchOptions)
    case inspect(InspectOptions)
    case tail(TailOptions)
    case get(GetOptions)
    case download(DownloadOptions)
    /// Runs the commands one after another.
    indirect case each([Invocation])
    case serve(port: Int)
    case completion(Shell)
    case manual
    /// Writes the output of a command into the file in which the system looks for it.
    indirect case install(Invocation, file: URL)
    case help(Subcommand?)
    case version
}

extension Invocation {
    /// Runs the command and returns the exit code.
    @MainActor
    func run() throws -> Int32 {
        switch self {
        case .demo: try DemoCommand().run()
        case .watch(let options): try WatchCommand(options: options).run()
        case .inspect(let options): try InspectCommand(options: options).run()
        case .tail(let options): try TailCommand(options: options).run()
        case .get(let options): try GetCommand(options: options).run()
        case .download(let options): try DownloadCommand(options: options).run()
        case .each(let commands): Pulse.run(each: commands)
        case .serve(let port): try ServeCommand(port: port).run()
        case .install(let command, let file): InstallCommand(text: command.page, file: file).run()
        case .completion, .manual, .help, .version: PageCommand(page: page).run()
        }
    }

    /// The text that the command prints, if it does nothing else.
    private var page: String {
        switch self {
        case .completion(let shell): shell.script
        case .manual: ManualPage.text
        case .help(let subcommand): Help.page(subcommand)
        case .version: "pulse \(Streams.version)\n"
        default: ""
        }
    }
}

/// A command line that cannot be parsed. One line on standard error; the exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension String {
    /// The text in quotes: shortened, printable, and redacted. Passwords and the values of queries and headers are removed.
    ///
    /// It is used for words that could not be parsed, so nothing in them is trusted: everything after a blank, `=`, `?` or `#` is removed,
    /// and so are user information and anything but a port after a host.
    var quotedForMessage: String { "'\(TerminalText.clipped(TerminalText.sanitized(redactedWord), to: 60))'" }

    private var redactedWord: String {
        let scheme = range(of: "://").map { String(self[..<$0.upperBound]) } ?? ""
        // A scheme contains neither blanks nor punctuation: otherwise "://" is part of something else.
        guard scheme.dropLast(3).allSatisfy(\.isSchemeLetter) else { return Self.redactedAuthority(of: self[...]) }
        return scheme + Self.redactedAuthority(of: dropFirst(scheme.count))
    }

    private static func redactedAuthority(of text: Substring) -> String {
        let end = text.firstIndex { $0.isWhitespace || "=?#".contains($0) } ?? text.endIndex
        var shown = text[..<end]
        var result = ""
        if let at = text.lastIndex(of: "@") {
            // If an @ follows, it is uncertain where the password ends.
            guard at < end else { return "…" }
            shown = text[text.index(after: at)..<end]
            result = "…@"
        }
        let authority = shown.prefix { $0 != "/" }
        result += redactedPort(of: authority) + shown[authority.endIndex...]
        return end == text.endIndex ? result : result + "…"
    }

    private static func redactedPort(of authority: Substring) -> String {
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        guard let colon = authority[host.endIndex...].firstIndex(of: ":") else { return String(authority) }
        let port = authority[authority.index(after: colon)...]
        return authority[...colon] + (port.allSatisfy(\.isNumber) ? String(port) : "…")
    }

    /// The name of an unknown flag in quotes, without a value that may follow it: `-uUSER:PASSWORD` is common in other tools.
    var quotedFlag: String {
        let name = prefix { $0 == "-" || $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let shown = hasPrefix("--") ? name : name.prefix(2)
        return "'\(shown)\(shown.endIndex == endIndex ? "" : "…")'"
    }
}

extension Character {
    fileprivate var isSchemeLetter: Bool { isASCII && (isLetter || isNumber || "+-.".contains(self)) }
}
