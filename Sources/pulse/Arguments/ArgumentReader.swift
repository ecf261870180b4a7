import Foundation

/// Splits the arguments of a command into flags, their values, and operands.
///
/// Supports `--name value`, `--name=value`, `-n value`, `-nvalue`, several flags in one word such as `-iL`, and `--`, after which nothing
/// is a flag. A single `-` is a value.
struct ArgumentReader {
    private(set) var operands: [String] = []
    /// The number of operands before `--`; `nil` without it.
    private(set) var operandsBeforeEnd: Int?
    /// The flags with their values, in the order in which they were given.
    private(set) var given: [(name: String, value: String)] = []
    private var values: [String: [String]] = [:]
    let command: String
    private let flags: [Flag]

    /// - Throws: `UsageError` for a flag that is unknown, lacks its value, or has an unexpected one.
    init(_ words: some Sequence<String>, command: String, flags: [Flag]) throws {
        self.command = command
        self.flags = flags + [.help]
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operandsBeforeEnd = operands.count
                operands += words
                return
            }
            if word.hasPrefix("--") {
                try takeLong(word, &words)
            } else if word.count > 1, word.hasPrefix("-") {
                try takeShort(word, &words)
            } else {
                operands.append(word)
            }
        }
    }

    func has(_ name: String) -> Bool { values[name] != nil }

    /// Returns the last value of the flag: a repeated flag overrides earlier ones.
    func value(_ name: String) -> String? { values[name]?.last }

    func allValues(_ name: String) -> [String] { values[name] ?? [] }

    /// Returns the arguments with other operands, and with further values of flags.
    func replacing(operands: [String], adding further: [(name: String, value: String)]) -> ArgumentReader {
        var reader = self
        reader.operands = operands
        for (name, value) in further { reader.add(name, value) }
        return reader
    }

    private mutating func takeLong(_ word: String, _ words: inout ArraySlice<String>) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let flag = flags.first(where: { $0.name == parts[0] }) else { throw unknown(parts[0], isWhole: true) }
        let attached = parts.count == 2 ? parts[1] : nil
        guard flag.value == nil || attached == nil else { return add(flag, attached ?? "") }
        guard attached == nil else { throw UsageError("pulse \(command): \(flag.name) takes no value") }
        try take(flag, as: flag.name, &words)
    }

    private mutating func takeShort(_ word: String, _ words: inout ArraySlice<String>) throws {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let flag = flags.first(where: { $0.short == name }) else {
                throw unknown(letters.count == word.count - 2 ? word : name, isWhole: letters.isEmpty)
            }
            guard flag.value == nil || letters.isEmpty else { return add(flag, String(letters)) }
            try take(flag, as: name, &words)
        }
    }

    /// Takes the flag, with the next word as its value if it has one.
    private mutating func take(_ flag: Flag, as name: String, _ words: inout ArraySlice<String>) throws {
        guard let placeholder = flag.value else { return add(flag, "") }
        guard let value = words.popFirst() else { throw UsageError("pulse \(command): \(name) needs a value: \(placeholder)") }
        add(flag, value)
    }

    private mutating func add(_ flag: Flag, _ value: String) {
        add(flag.counterpart ?? flag.name, value)
    }

    private mutating func add(_ name: String, _ value: String) {
        values[name, default: []].append(value)
        given.append((name, value))
    }

    /// - Parameter isWhole: whether the word is known to contain only the name.
    private func unknown(_ word: String, isWhole: Bool) -> UsageError {
        let name = word.hasPrefix("--") ? word : String(word.prefix(2))
        if offersRequests, let replacement = CurlOption.replacement(of: name) {
            return UsageError("pulse \(command): curl's \(name) \(replacement)")
        }
        if offersRequests, let replacement = HTTPieOption.replacement(of: name) {
            return UsageError("pulse \(command): httpie's \(name) \(replacement)")
        }
        let hint = nearestFlag(to: isWhole ? word : name).map { "; did you mean \($0)?" } ?? ""
        return UsageError("pulse \(command): unknown flag \(word.quotedFlag)\(hint)")
    }

    /// Every letter is similar to every other, so only its other case may have been meant.
    private func nearestFlag(to word: String) -> String? {
        guard word.count > 2 else { return flags.compactMap(\.short).first { $0.lowercased() == word.lowercased() } }
        return nearestWord(to: word, among: flags.filter { $0 != .help }.map(\.name))
    }

    private var offersRequests: Bool { flags.contains { $0.name == "--method" } }
}

/// Returns the URL of an argument; `http://` may be omitted. As in curl, a name before `:/` is a scheme, and as in httpie, a port or a path
/// after nothing but a colon is one of this machine.
///
/// - Throws: `UsageError` if no request can be sent to it.
func endpoint(_ text: String, command: String) throws -> URL {
    let typed = text.trimmingCharacters(in: .whitespaces)
    let isHere = typed.prefixMatch(of: /:[0-9\/]/) != nil
    let written = isHere ? "localhost" + (typed.hasPrefix(":/") ? typed.dropFirst() : typed[...]) : typed
    let full = written.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\//) == nil ? "http://\(written)" : written
    let problem = { (what: String) in UsageError("pulse \(command): \(text.quotedForMessage) \(what)") }
    guard !full.contains(" ") else { throw problem("has a blank in it, which is %20 in a URL") }
    guard !full.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }), let url = URL(lenient: full), let scheme = url.scheme?.lowercased()
    else {
        throw problem("is not a URL")
    }
    guard scheme == "http" || scheme == "https" else { throw problem("is not supported: only http and https URLs are") }
    guard let host = url.host(), !host.isEmpty, !written.hasPrefix("/") else { throw problem("has no host") }
    if let port = url.port, !(1...65_535).contains(port) { throw problem("has an invalid port") }
    return url
}
