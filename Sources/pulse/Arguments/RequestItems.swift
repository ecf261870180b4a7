import Foundation

/// The operands of `pulse get` that describe the request, as those of httpie, and what a line of curl has in other places.
extension ArgumentReader {
    /// Returns the arguments with the items among the operands as values of their flags.
    func withItems() -> ArgumentReader {
        var rest = operands
        // The whole line was pasted.
        if rest.count > 1 || has("--url"), rest.first == "curl" { rest.removeFirst() }
        rest += allValues("--url")
        guard let address = rest.first else { return self }
        let items = rest.dropFirst().map { (word: $0, item: RequestItem($0)) }
        return replacing(
            operands: [address] + items.filter { $0.item == nil }.map(\.word),
            adding: items.compactMap { $0.item.map { ($0.flag, $0.value) } })
    }
}

/// An operand that is no URL: `NAME=TEXT`, `NAME:=JSON`, `NAME==TEXT`, `NAME:VALUE`.
struct RequestItem: Equatable {
    /// The flag that means the same.
    let flag: String
    /// The value of that flag.
    let value: String

    /// - Returns: `nil` for what is or could be a URL. Before the first sign of an item, a URL has a character that no name has; only
    ///   `NAME:VALUE` could be a host with a port, if digits follow, or a user with a password, if an `@` does.
    init?(_ word: String) {
        if let match = word.prefixMatch(of: /([^:\/?#\[\]=@]+)==/) {
            (flag, value) = ("--query", "\(match.1)=\(word[match.range.upperBound...])")
        } else if word.prefixMatch(of: /[^:\/?#\[\]=@]+:?=/) != nil {
            (flag, value) = ("--json", word)
        } else if word.prefixMatch(of: /[A-Za-z][A-Za-z0-9_\-]*:(?!\/\/)(?!\d+(?:[\/?#]|$))(?![^\/?#]*@)/) != nil {
            (flag, value) = ("--header", word)
        } else {
            return nil
        }
    }
}
