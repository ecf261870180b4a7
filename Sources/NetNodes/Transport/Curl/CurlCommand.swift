import Foundation
import Streams

extension HTTPRequest {
    /// This request as a curl command for any POSIX shell, redacted. Values with a secret name (`SecretNames`) are replaced by `***`, and a
    /// binary body is shown only by its length.
    public var curl: String {
        let (template, files) = bodyTemplate
        var exchange = Recording.Exchange(self)
        exchange.requestBody = template.map { Recording.Body($0) }
        let clean = Redactor([exchange]).redacted(exchange)
        return command(clean.url, clean.requestHeaders, clean.requestBody.map { $0.shown(files) } ?? [])
    }

    /// This request as an equivalent curl command for any POSIX shell. It may contain secrets: do not log it.
    public var curlRevealingSecrets: String {
        command(url.absoluteString, headers, body.inPieces)
    }

    /// The part of the body in memory, with a placeholder for each file.
    private var bodyTemplate: (Data?, [(word: String, file: URL)]) {
        guard !body.inPieces.isEmpty else { return (nil, []) }
        let mark = randomIdentifier(from: SystemRandomNumberGenerator())
        var template = Data()
        var files: [(word: String, file: URL)] = []
        for piece in body.inPieces {
            switch piece {
            case .data(let data): template += data
            case .file(let file):
                files.append(("(file \(mark) \(files.count))", file))
                template += Data(files[files.count - 1].word.utf8)
            }
        }
        return (template, files)
    }

    private func command(_ url: String, _ headers: HTTPHeaders, _ body: [Body.Piece]) -> String {
        let (source, bodyArguments) = arguments(of: body)
        var words = ["curl"] + methodArguments + urlArguments(url)
        words += headers.filter(\.isSendable).map {
            "-H " + ($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)").shellQuoted
        }
        if !bodyArguments.isEmpty, headers["Content-Type"] == nil { words.append("-H 'Content-Type:'") }
        words += limitArguments + bodyArguments
        return source + words.joined(separator: " ")
    }

    /// Prevents curl from interpreting a URL as an option or as several URLs.
    private func urlArguments(_ url: String) -> [String] {
        let hasScheme = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
        return (url.contains { "[]{}".contains($0) } ? ["--globoff"] : []) + (hasScheme ? [] : ["--url"]) + [url.shellQuoted]
    }

    private var isStreamed: Bool { if case .stream = body { true } else { false } }

    private var methodArguments: [String] {
        switch (method, body) {
        case (.get, .none), (.post, .data): []
        case (.head, .none): ["--head"]
        default: ["-X " + method.rawValue.shellQuoted]
        }
    }

    private var limitArguments: [String] {
        var words: [String] = []
        if case .follow(let limit) = redirects { words.append("--location --max-redirs \(limit)") }
        if headers["Accept-Encoding"] == nil { words.append("--compressed") }
        if let connect = timeouts.connect { words.append("--connect-timeout \(Double(connect.wholeMilliseconds) / 1000)") }
        if let total = timeouts.total { words.append("--max-time \(Double(total.wholeMilliseconds) / 1000)") }
        return words
    }

    /// The command that feeds the body, and the arguments that read it.
    private func arguments(of pieces: [Body.Piece]) -> (source: String, arguments: [String]) {
        switch pieces.count {
        // A streamed body comes from the standard input.
        case 0: return ("", isStreamed ? ["--data-binary @-"] : [])
        case 1:
            if case .file(let file) = pieces[0] { return ("", ["--data-binary " + "@\(file.path)".shellQuoted]) }
            if let text = pieces[0].plainText { return ("", ["--data-raw " + text.shellQuoted]) }
            return ("\(pieces[0].command) | ", ["--data-binary @-"])
        default: return ("{ \(pieces.map(\.command).joined(separator: "; ")); } | ", ["--data-binary @-"])
        }
    }
}

extension Recording.Body {
    /// The pieces of a redacted body, with its files instead of their placeholders.
    fileprivate func shown(_ files: [(word: String, file: URL)]) -> [HTTPRequest.Body.Piece] {
        guard case .text(var rest) = self, !rest.utf8.contains(0) else { return [.data(Data("(\(data.count) bytes)".utf8))] }
        var pieces: [HTTPRequest.Body.Piece] = []
        for (word, file) in files {
            guard let range = rest.range(of: word) else { continue }
            if range.lowerBound > rest.startIndex { pieces.append(.data(Data(rest[..<range.lowerBound].utf8))) }
            pieces.append(.file(file))
            rest = String(rest[range.upperBound...])
        }
        return rest.isEmpty && !pieces.isEmpty ? pieces : pieces + [.data(Data(rest.utf8))]
    }
}

extension HTTPRequest.Body.Piece {
    /// The longest argument; Linux limits a single one to 128 KB.
    private static let longestArgument = 100_000

    /// The bytes as text that can be used as an argument.
    fileprivate var plainText: String? {
        guard case .data(let data) = self, data.count <= Self.longestArgument, let text = String(validating: data, as: UTF8.self) else {
            return nil
        }
        return text.isPlainForShell ? text : nil
    }

    /// A command that writes the piece. `printf` and `cat` work in every shell, `<<<` does not.
    fileprivate var command: String {
        switch self {
        case .file(let file): return "cat " + file.path.shellQuoted
        case .data(let data):
            guard let text = String(validating: data, as: UTF8.self) else { return "printf %s '\(data.base64EncodedString())' | base64 -d" }
            return text.printfCommand
        }
    }
}

extension String {
    /// This text as one word of any POSIX shell. Control characters are escaped, so that it is safe to print on a terminal.
    ///
    /// `$'...'` would be more readable, but a shell without it closes the quotes at `\'` and runs the text that follows.
    fileprivate var shellQuoted: String {
        isPlainForShell ? "'" + replacing("'", with: "'\\''") + "'" : "\"$(\(printfCommand))\""
    }

    fileprivate var isPlainForShell: Bool {
        !unicodeScalars.contains(where: \.isHiddenOnTerminal)
    }

    /// A command that writes this text, including NUL.
    fileprivate var printfCommand: String {
        var format = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "%": format += "%%"
            // A leading dash would be an option, and `!` refers to the history of an interactive shell.
            case "\\", "'", "\"", "!", "`", "$": format += scalar.octal
            case "-" where format.isEmpty: format += scalar.octal
            default: format += scalar.isHiddenOnTerminal ? scalar.octal : String(scalar)
            }
        }
        return "printf '\(format)'"
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character and does not show it: control characters, line separators and directional formatting
    /// characters.
    fileprivate var isHiddenOnTerminal: Bool {
        switch value {
        case ..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// `\ooo` for each byte.
    fileprivate var octal: String {
        UTF8.encode(self)?.map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }.joined() ?? ""
    }
}
