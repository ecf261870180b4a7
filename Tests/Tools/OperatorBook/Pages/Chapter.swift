import OperatorCatalogue

/// A chapter of the book: the operators of one folder.
struct Chapter {
    let name: String
    let pages: [Page]

    /// In the order in which one reads about streams; a folder that is not in the list comes behind.
    private static let order = [
        "Creation", "Transforming", "Filtering", "Combining", "Aggregating", "Timing", "ErrorHandling", "Sharing", "Utility", "Resilience",
        "Bridging", "Traits", "Nodes",
    ]

    /// `Error handling` for `ErrorHandling`.
    static func title(of name: String) -> String {
        let words = name.replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }
        return words.prefix(1).uppercased() + words.dropFirst().lowercased()
    }

    /// Of its heading in the index.
    static func anchor(of name: String) -> String {
        title(of: name).lowercased().replacing(" ", with: "-")
    }

    static func all(of sources: Sources) throws -> [Chapter] {
        let groups = Dictionary(grouping: Operator.all, by: \.chapter)
        let names = groups.keys.sorted { (order.firstIndex(of: $0) ?? .max, $0) < (order.firstIndex(of: $1) ?? .max, $1) }
        return try names.map { name in
            let entries = (groups[name] ?? []).sorted { ($0.names[0].lowercased(), $0.file) < ($1.names[0].lowercased(), $1.file) }
            var taken: Set<String> = []
            let pages = try entries.compactMap { entry in try Page(entry, file: fileName(entry, &taken), sources) }
            return Chapter(name: name, pages: pages)
        }
    }

    /// The name without labels for the first of its name in the chapter, with labels for the others.
    private static func fileName(_ entry: Operator, _ taken: inout Set<String>) -> String {
        let base = String(entry.names[0].prefix { $0 != "(" })
        let labels = entry.names[0].matches(of: /([a-zA-Z]+):/).map { String($0.1) }
        let candidates = [base, ([base] + labels.prefix(1)).joined(separator: "-"), ([base] + labels).joined(separator: "-")]
        let numbered = (2...).lazy.map { "\(base)-\($0)" }
        let chosen = candidates.first { !taken.contains($0.lowercased()) } ?? numbered.first { !taken.contains($0.lowercased()) } ?? base
        taken.insert(chosen.lowercased())
        return chosen
    }
}
