/// The directives of the `Cache-Control` fields of a request or a response.
///
/// Source: [RFC 9111, 5.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2).
struct CacheControl {
    /// The arguments of the directives, by their names in lower case. Of two equal directives the first one counts.
    private var arguments: [String: String] = [:]

    init(_ headers: HTTPHeaders) {
        for directive in headers.values("Cache-Control").flatMap(\.listMembers) {
            let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                part.filter { $0 != "\"" && $0 != " " && $0 != "\t" }
            }
            let name = parts[0].lowercased()
            arguments[name] = arguments[name] ?? (parts.count == 2 ? parts[1] : "")
        }
    }

    /// Whether there is a directive, with or without an argument.
    func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// The number of seconds of a directive; 0 if it is not a number, `nil` without the directive.
    func seconds(_ name: String) -> Double? {
        arguments[name].map { $0.utf8.allSatisfy(\.isDigit) ? Double($0) ?? 0 : 0 }
    }
}

extension String {
    /// The members of a list that is separated by commas; those within quotation marks separate nothing.
    fileprivate var listMembers: [String] {
        var members = [""]
        var isQuoted = false
        for character in self {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted { members.append("") } else { members[members.count - 1].append(character) }
        }
        return members
    }
}
