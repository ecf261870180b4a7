import Foundation

extension HTTPRequest {
    /// This request as a command for a shell with curl, without its secrets: headers, query items, members of JSON and form fields whose
    /// names tell that they are secret have `***` for a value.
    public var curl: String {
        let exchange = Recording.Exchange(
            method: method.rawValue, url: url.absoluteString, requestHeaders: headers, requestBody: bodyInMemory, head: nil)
        let clean = SecretRemover([exchange]).cleaned(exchange)
        return command(clean.url, clean.requestHeaders, clean.requestBody)
    }

    /// This request as a command for a shell with curl that does what the request does. It may hold secrets: do not log it.
    public var curlRevealingSecrets: String {
        command(url.absoluteString, headers, bodyInMemory)
    }

    private var bodyInMemory: Recording.Body? {
        if case .data(let data) = body { Recording.Body(data) } else { nil }
    }

    private func command(_ url: String, _ headers: HTTPHeaders, _ body: Recording.Body?) -> String {
        let (source, bodyArguments) = arguments(of: body)
        var words = ["curl"] + methodArguments + [url.shellQuoted]
        words += headers.map { "-H " + ($0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)").shellQuoted }
        if !bodyArguments.isEmpty, headers["Content-Type"] == nil { words.append("-H 'Content-Type:'") }
        words += limitArguments + bodyArguments
        return source + words.joined(separator: " ")
    }

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

    /// What stands before the command to feed it, and the arguments with which it takes the body.
    private func arguments(of inMemory: Recording.Body?) -> (source: String, arguments: [String]) {
        switch (body, inMemory) {
        case (.none, _): return ("", [])
        case (.data, .text(let text)) where !text.utf8.contains(0): return ("", ["--data-raw " + text.shellQuoted])
        case (.data(let data), _): return ("\(data.shellSource) | ", ["--data-binary @-"])
        case (.file(let file), _): return ("", ["--data-binary " + "@\(file.path)".shellQuoted])
        case (.pieces(let pieces), _):
            let sources = pieces.map { piece in
                switch piece {
                case .data(let data): data.shellSource
                case .file(let file): "cat " + file.path.shellQuoted
                }
            }
            return ("{ \(sources.joined(separator: "; ")); } | ", ["--data-binary @-"])
        }
    }
}

extension Data {
    /// A command that writes these bytes.
    fileprivate var shellSource: String { "base64 -d <<< '\(base64EncodedString())'" }
}

extension String {
    /// This text as one word of a shell; control characters are written out, so that it can be shown on a terminal.
    fileprivate var shellQuoted: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return "'" + replacing("'", with: "'\\''") + "'" }
        let escaped = utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return "$'" + escaped.joined() + "'"
    }
}
