import Foundation

extension Command {
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
        case "--help", "-h": self = .help(nil)
        case "--version": self = .version
        case "help": self = .help(try Self.topic(rest))
        case "watch": self = try Self.watch(rest)
        case "view": self = try Self.view(rest)
        case "inspect": self = try Self.inspect(rest)
        case "get": self = try Self.get(rest)
        case "download": self = try Self.download(rest)
        case "serve": self = try Self.serve(rest)
        case "completion": self = try Self.completion(rest)
        default: throw Self.unknown(first)
        }
    }

    private static func unknown(_ word: String) -> UsageError {
        if word.hasPrefix("-") {
            let hint = nearestWord(to: word, among: ["--help", "--version"]).map { "; did you mean \($0)?" } ?? "; see pulse --help"
            return UsageError("pulse: unknown flag \(word.quotedFlag)\(hint)")
        }
        if word.contains("://") { return UsageError("pulse: say what to do with the URL: pulse get URL, or pulse watch URL") }
        let hint = nearestWord(to: word, among: Topic.allCases.map(\.rawValue) + ["help"])
        return UsageError(
            "pulse: unknown command \(word.quotedForMessage)" + (hint.map { "; did you mean \($0)?" } ?? "; see pulse --help"))
    }

    private static func topic(_ words: ArraySlice<String>) throws -> Topic? {
        guard let word = words.first else { return nil }
        if let topic = Topic(rawValue: word) { return topic }
        let hint = nearestWord(to: word, among: Topic.allCases.map(\.rawValue)).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("pulse help: there is no command \(word.quotedForMessage)\(hint)")
    }

    private static func completion(_ words: ArraySlice<String>) throws -> Command {
        let reader = try ArgumentReader(words, command: "completion", flags: [])
        if reader.has("--help") { return .help(.completion) }
        let names = Shell.allCases.map(\.rawValue)
        guard let word = reader.operands.first else {
            throw UsageError("pulse completion: missing shell: \(names.joined(separator: ", "))")
        }
        guard reader.operands.count == 1, let shell = Shell(rawValue: word) else {
            throw UsageError("pulse completion: \(word.quotedForMessage) is not one of \(names.joined(separator: ", "))")
        }
        return .completion(shell)
    }

    private static func serve(_ words: ArraySlice<String>) throws -> Command {
        let reader = try ArgumentReader(words, command: "serve", flags: Topic.serve.flags)
        if reader.has("--help") { return .help(.serve) }
        if let operand = reader.operands.first {
            throw UsageError("pulse serve: unexpected argument \(operand.quotedForMessage); see pulse help serve")
        }
        guard let text = reader.value("--port") else { return .serve(port: 8080) }
        guard text.isDecimal, let port = Int(text), (0...65_535).contains(port) else {
            throw UsageError("pulse serve: \(text.quotedForMessage) is not a port from 0 to 65535")
        }
        return .serve(port: port)
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
}

extension String {
    /// Whether it consists of digits and a point: Swift also parses `0x10`, `1e5`, `+1` and `nan`, which are not accepted here.
    var isDecimal: Bool { utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") } }
}
