import Foundation

extension Invocation {
    /// Parses the arguments after the program's name.
    ///
    /// - Throws: `UsageError`, whose description is one line.
    init(parsing words: [String]) throws {
        guard let first = words.first else {
            self = .demo
            return
        }
        let rest = words.dropFirst()
        switch first {
        case "--help", "-h": self = try Subcommand.help.command(rest)
        case "--version", "-V": self = .version
        default:
            if let subcommand = Subcommand.named(first) {
                self = try subcommand.command(rest)
            } else if RequestMethod.names.contains(first.uppercased()) {
                self = try Subcommand.get.command([first.uppercased()] + rest)
            } else {
                throw Self.unknown(first)
            }
        }
    }

    private static func unknown(_ word: String) -> UsageError {
        if word.hasPrefix("-") {
            let hint = nearestWord(to: word, among: ["--help", "--version"]).map { "; did you mean \($0)?" } ?? "; see pulse --help"
            return UsageError("pulse: unknown flag \(word.quotedFlag)\(hint)")
        }
        if word.contains("://") { return UsageError("pulse: say what to do with the URL: pulse get URL, or pulse watch URL") }
        let hint = nearestWord(to: word, among: Subcommand.all.map(\.name))
        return UsageError(
            "pulse: unknown command \(word.quotedForMessage)" + (hint.map { "; did you mean \($0)?" } ?? "; see pulse --help"))
    }
}

extension ArgumentReader {
    /// Returns a positive number of seconds, such as `0.3`; `nil` without the flag.
    func duration(_ name: String, command: String) throws -> Duration? {
        guard let text = value(name) else { return nil }
        guard text.isDecimal, let seconds = Double(text), seconds >= 0.001, seconds <= 1_000_000 else {
            throw UsageError("pulse \(command): \(name) is a time in seconds, such as 0.5, not \(text.quotedForMessage)")
        }
        return .microseconds(Int64((seconds * 1_000_000).rounded()))
    }

    /// Returns a whole number; `nil` without the flag.
    func number(_ name: String, upTo largest: Int, command: String) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard text.isDecimal, let number = Int(text), number <= largest else {
            throw UsageError("pulse \(command): \(name) is a number from 0 to \(largest), not \(text.quotedForMessage)")
        }
        return number
    }
}

extension String {
    /// Whether the text consists of digits and a point: Swift also parses `0x10`, `1e5`, `+1` and `nan`, which are not accepted here.
    var isDecimal: Bool { utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") } }
}
