import Foundation

/// The names and passwords of hosts in the file `.netrc`.
///
/// Source: [curl, .netrc](https://everything.curl.dev/usingcurl/netrc.html).
struct Netrc {
    private struct Entry {
        /// The host; `nil` for the entry of all others.
        let host: String?
        var name: String?
        var password: String?
    }

    private var entries: [Entry] = []

    /// - Throws: `UsageError` that names the file.
    init(contentsOf file: URL) throws {
        guard let data = try? Data(contentsOf: file) else { throw UsageError("pulse: \(file.path) cannot be read") }
        try self.init(parsing: String(decoding: data, as: UTF8.self), file: file.path)
    }

    /// - Throws: `UsageError` with the word that lacks its value. No value is part of it.
    init(parsing text: String, file: String = ".netrc") throws {
        var words = Self.words(of: text)[...]
        while let word = words.popFirst() {
            switch word {
            case "machine": entries.append(Entry(host: try Self.value(of: word, &words, file).lowercased()))
            case "default": entries.append(Entry(host: nil))
            case "login": try set(\.name, word, &words, file)
            case "password": try set(\.password, word, &words, file)
            case "account": _ = try Self.value(of: word, &words, file)
            // A macro ends with an empty line.
            case "macdef": words = words.drop { $0 != Self.emptyLine }
            case Self.emptyLine: break
            default: throw UsageError("pulse: \(file) has a word that is none of .netrc, after \(entries.count) entries")
            }
        }
    }

    private mutating func set(
        _ part: WritableKeyPath<Entry, String?>, _ word: String, _ words: inout ArraySlice<String>, _ file: String
    ) throws {
        guard !entries.isEmpty else { throw UsageError("pulse: \(file) has \(word) before its first machine") }
        entries[entries.count - 1][keyPath: part] = try Self.value(of: word, &words, file)
    }

    private static func value(of word: String, _ words: inout ArraySlice<String>, _ file: String) throws -> String {
        words = words.drop { $0 == emptyLine }
        guard let value = words.popFirst() else { throw UsageError("pulse: \(file) ends after the word \(word)") }
        return value
    }

    /// Returns the first credentials of a host with a name.
    func credentials(of host: String) -> RequestOptions.Credentials? {
        let entry = entries.first { $0.name != nil && ($0.host == nil || $0.host == host.lowercased()) }
        return entry?.name.map { RequestOptions.Credentials(name: $0, password: entry?.password ?? "") }
    }

    private static let emptyLine = "\n"

    /// Returns the words, and a mark for each empty line. A word in quotes may have blanks, and escapes; `#` at the beginning of a line
    /// begins a comment.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var rest = line.drop(while: \.isWhitespace)
            if rest.isEmpty { words.append(emptyLine) }
            guard rest.first != "#" else { continue }
            while !rest.isEmpty {
                words.append(rest.first == "\"" ? quoted(&rest) : plain(&rest))
                rest = rest.drop(while: \.isWhitespace)
            }
        }
        return words
    }

    private static func plain(_ rest: inout Substring) -> String {
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest[word.endIndex...]
        return String(word)
    }

    private static func quoted(_ rest: inout Substring) -> String {
        rest.removeFirst()
        var word = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\", let escaped = rest.popFirst() else {
                word.append(character)
                continue
            }
            let controls: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]
            word.append(controls[escaped] ?? escaped)
        }
        return word
    }
}
