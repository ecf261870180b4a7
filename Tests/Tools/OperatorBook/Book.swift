import Foundation
import OperatorCatalogue

/// A fault of the book, in a sentence.
struct BookError: Error {
    let message: String
}

/// The book of operators: all its files, by their paths below `Docs/Operators`.
struct Book {
    let files: [String: String]
    private let folder: URL

    init(root: URL) throws {
        folder = root.appending(path: "Docs/Operators")
        let sources = try Sources(root: root)
        let chapters = try Chapter.all(of: sources)
        let types = try TypePage.all(in: root)
        let links = Links(chapters)
        var files = [
            Index.path: Index(
                chapters: chapters, types: types, links: links, allocations: Allocations(counts: sources.costs.allocations)
            ).text,
            NamesPage.path: NamesPage(chapters: chapters).text,
        ]
        for page in chapters.flatMap(\.pages) { files.merge(try page.files(linking: links)) { $1 } }
        for page in types { files.merge(page.files(linking: links)) { $1 } }
        self.files = files
    }

    /// Writes what differs, and removes what the book no longer has.
    func write() throws {
        let differences = try differences()
        for path in differences {
            let file = folder.appending(path: path)
            guard let text = files[path] else {
                try FileManager.default.removeItem(at: file)
                continue
            }
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        print("\(summary), \(differences.count) of them new")
    }

    /// The files that are missing, differ or are not the book's.
    func differences() throws -> [String] {
        let present = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let generated = present.filter { $0.hasSuffix(".md") || $0.hasSuffix(".svg") }
        return Set(files.keys).union(generated).sorted().filter { path in
            (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) != files[path]
        }
    }

    var summary: String {
        let pictures = files.keys.count { $0.hasSuffix(".svg") }
        return "\(files.count - pictures) pages and \(pictures) pictures"
    }
}
