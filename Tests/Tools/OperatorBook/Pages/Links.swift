import Foundation

/// Where the pages of operators are, for the links between them.
struct Links {
    private let paths: [String: [String]]

    init(_ chapters: [Chapter]) {
        var paths: [String: [String]] = [:]
        for page in chapters.flatMap(\.pages) {
            for name in page.entry.names {
                paths[name, default: []].append(page.path)
                paths[String(name.prefix { $0 != "(" }), default: []].append(page.path)
            }
        }
        self.paths = paths
    }

    /// Documentation text for a page of a chapter, or of the book itself: a link to a symbol becomes a link to its page, or code where it
    /// has none. What tells symbols of one name apart, `-(Scheduler)`, is for DocC.
    func resolved(_ text: String, from chapter: String?) -> String {
        text.replacing(/``([^`]+)``/) { match in
            let symbol = String(match.1).replacing(#/-\(.*\)$/#, with: "")
            let parts = symbol.split(separator: "/").map(String.init)
            // A nested type is named with the type around it, a member alone.
            let isType = parts.last?.first?.isUppercase ?? false
            let name = isType ? parts.joined(separator: ".") : parts.last ?? symbol
            guard let page = page(of: name, in: chapter) else { return "`\(name)`" }
            return "[`\(name)`](\(chapter == nil ? "" : "../")\(page))"
        }
    }

    private func page(of name: String, in chapter: String?) -> String? {
        let collapsed = name.replacing(/(?:_:)+/, with: "_:")
        guard let pages = paths[collapsed] ?? paths[String(name.prefix { $0 != "(" })] else { return nil }
        return pages.first { path in chapter.map { path.hasPrefix($0) } ?? false } ?? pages.first
    }
}
