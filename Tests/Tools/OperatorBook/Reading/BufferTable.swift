import Foundation

/// The buffers that `Docs/Backpressure.md` lists for operators.
struct BufferTable {
    struct Row {
        let names: [String]
        let bound: String
        let overflow: String
    }

    private let rows: [Row]

    init(in root: URL) throws {
        let page = try String(contentsOf: root.appending(path: "Docs/Backpressure.md"), encoding: .utf8)
        let table = page.components(separatedBy: "## Where elements are buffered").last?.components(separatedBy: "\n## ").first ?? ""
        rows = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 5 else { return nil }
            return Row(names: cells[1].matches(of: /`([^`]+)`/).map { String($0.1) }, bound: cells[2], overflow: cells[3])
        }
    }

    /// The rows about an operator, by its full name. A row that writes labels is about the form that has them.
    func rows(for names: [String]) -> [Row] {
        rows.filter { row in row.names.contains { written in names.contains { Self.isAbout(written, $0) } } }
    }

    private static func isAbout(_ written: String, _ name: String) -> Bool {
        guard written.prefix(while: { $0 != "(" }) == name.prefix(while: { $0 != "(" }) else { return false }
        guard let open = written.firstIndex(of: "(") else { return true }
        let labels = written[open...].dropFirst().dropLast().matches(of: /([a-zA-Z]+):/).map { "\($0.1):" }
        return labels.allSatisfy(name.contains)
    }
}
