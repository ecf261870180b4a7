import Foundation

/// The operands of `pulse get` that describe the request, as those of httpie, and what a line of curl has in other places.
extension ArgumentReader {
    /// Returns the arguments with the method and the items among the operands as values of their flags.
    ///
    /// - Throws: `UsageError` if there are two methods.
    func withItems() throws -> ArgumentReader {
        var rest = operands[...]
        // The whole line was pasted.
        if rest.count > 1 || has("--url"), rest.first == "curl" { rest.removeFirst() }
        let method = RequestMethod.leading(rest, hasURL: has("--url"))
        if let method {
            guard !has("--method") else { throw UsageError("pulse \(command): either \(method) or --method, not both") }
            rest.removeFirst()
        }
        // The first operand is a URL, whatever it looks like.
        let address = has("--url") ? nil : rest.popFirst()
        let items = rest.map { (word: $0, item: RequestItem($0)) }
        if let other = (BodyFlags.data + BodyFlags.form).first(where: has), items.contains(where: { $0.item?.flag == "--json" }) {
            throw UsageError(
                "pulse \(command): NAME=TEXT after the URL is a part of a JSON body; beside \(other) write it with \(other) too")
        }
        return replacing(
            operands: [address].compactMap(\.self) + items.filter { $0.item == nil }.map(\.word) + allValues("--url"),
            adding: items.compactMap { $0.item.map { ($0.flag, $0.value) } }
                + [method].compactMap { $0 == "HEAD" ? ("--head", "") : $0.map { ("--method", $0) } })
    }
}

/// A method of HTTP before the URL, as in httpie.
enum RequestMethod {
    static let names: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Returns the method that the first operand is. In small letters it could be a host, unless a URL follows.
    static func leading(_ operands: ArraySlice<String>, hasURL: Bool) -> String? {
        guard let word = operands.first, names.contains(word) || names.contains(word.uppercased()) && (hasURL || operands.count > 1) else {
            return nil
        }
        return word.uppercased()
    }
}

/// An operand that is no URL: `NAME=TEXT`, `NAME:=JSON`, `NAME==TEXT`, `NAME:VALUE`.
struct RequestItem: Equatable {
    /// The flag that means the same.
    let flag: String
    /// The value of that flag.
    let value: String

    /// - Returns: `nil` for what is or could be a URL. Before the first sign of an item, a URL has a character that no name has; only
    ///   `NAME:VALUE` could be a host with a port, if digits follow a name in small letters, or a user with a password, if an `@` does.
    init?(_ word: String) {
        if let match = word.prefixMatch(of: /([^:\/?#\[\]=@]+)==/) {
            (flag, value) = ("--query", "\(match.1)=\(word[match.range.upperBound...])")
        } else if word.prefixMatch(of: /[^:\/?#\[\]=@]+:?=/) != nil {
            (flag, value) = ("--json", word)
        } else if let match = word.prefixMatch(of: /([A-Za-z][A-Za-z0-9_\-]*):(?!\/\/)(?![^\/?#]*@)(\d+(?:[\/?#]|$))?/),
            match.2 == nil || match.1.contains(where: \.isUppercase)
        {
            (flag, value) = ("--header", word)
        } else {
            return nil
        }
    }
}
