import Foundation
import OperatorCatalogue

/// Everything that the book is made from beside the catalogue.
struct Sources {
    let root: URL
    let buffers: BufferTable
    let costs: Costs

    init(root: URL) throws {
        self.root = root
        buffers = try BufferTable(in: root)
        costs = try Costs(in: root)
    }

    /// The file in which an operator is declared.
    func file(of entry: Operator) throws -> SourceFile {
        let isBeside = ["Nodes", "Traits"].contains(entry.chapter)
        return try SourceFile(path: "Sources/Streams/\(isBeside ? "" : "Operators/")\(entry.file).swift", in: root)
    }
}
