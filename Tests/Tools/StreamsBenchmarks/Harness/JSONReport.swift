import Foundation

/// The rows as a file: `rows` are those with a limit, what they are compared with stands beside them.
struct JSONReport: Encodable {
    struct Entry: Encodable {
        let name: String
        let nanoseconds: Double
        let minimum: Double
        let floors: Double
        let limit: Double?
        let allocations: Double?
        let allocationLimit: Double?
        let liveBytes: Int?
        let liveBytesLimit: Int?

        init(_ row: Row) {
            name = row.name
            nanoseconds = row.median
            minimum = row.minimum
            floors = row.floors
            limit = row.limit
            allocations = row.allocations
            allocationLimit = row.allocationLimit
            liveBytes = row.liveBytes
            liveBytesLimit = row.liveBytesLimit
        }
    }

    private let rows: [Entry]
    private let baselines: [Entry]
    private let growth: [Entry]

    init(_ rows: [Row]) {
        self.rows = rows.filter { $0.isReached != nil }.map(Entry.init)
        baselines = rows.filter { $0.kind == .baseline }.map(Entry.init)
        growth = rows.filter { $0.kind == .growth }.map(Entry.init)
    }

    /// Writes the file whole or not at all.
    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: file, options: .atomic)
    }
}
