/// The protocol on the socket of an inspector.
///
/// A client connects, sends one request, a line of at most 1,024 bytes, and reads one answer, a line of JSON; then the connection is
/// closed. The request `snapshot` is answered with an `InspectorSnapshot`, `snapshot 20 10` with one that has ten operators after the first
/// twenty, `counts` with `Counts`, `version` with a `Version`, and anything else with a `Failure`.
package enum InspectorProtocol {
    /// The requests of a client.
    package enum Request: Sendable, Equatable {
        /// Asks for the running streams, or for a part of them.
        case snapshot(Page = .all)
        /// Asks how many streams are running, which takes less time than a snapshot.
        case counts
        /// Asks for the process, and the version of its format.
        case version

        /// Reads the line of a request, without its end.
        init?(_ line: String) {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("snapshot", 1): self = .snapshot()
            case ("snapshot", 3):
                guard let first = Int(words[1]), let count = Int(words[2]), first >= 0, count >= 0 else { return nil }
                self = .snapshot(Page(first: first, count: count))
            case ("counts", 1): self = .counts
            case ("version", 1): self = .version
            default: return nil
            }
        }

        /// The line of the request, without its end.
        var line: String {
            switch self {
            case .snapshot(.all): "snapshot"
            case .snapshot(let page): "snapshot \(page.first) \(page.count)"
            case .counts: "counts"
            case .version: "version"
            }
        }
    }

    /// A part of a snapshot: so many operators, in the order of the tree, with parents before their children.
    package struct Page: Sendable, Equatable {
        /// The number of operators before the page.
        package var first: Int
        /// The maximum number of operators in the page.
        package var count: Int

        /// All operators.
        package static let all = Page(first: 0, count: .max)

        /// Creates a page; negative numbers count as zero.
        package init(first: Int = 0, count: Int) {
            (self.first, self.count) = (max(0, first), max(0, count))
        }

        /// The positions of the page among so many.
        func positions(of total: Int) -> Range<Int> {
            let start = min(first, total)
            return start..<(start + min(count, total - start))
        }
    }

    /// The maximum number of bytes in a request, with its line feed.
    package static let requestLimit = 1_024

    /// The process that answers.
    package struct Version: Codable, Sendable, Equatable {
        /// The version of the format of snapshots.
        package var format: Int
        /// The number of the process.
        package var process: Int32
        /// The name of the program.
        package var program: String
        /// Whether elements are shown.
        package var showsElements: Bool

        /// Creates an answer.
        package init(format: Int = InspectorSnapshot.currentFormat, process: Int32, program: String, showsElements: Bool) {
            (self.format, self.process, self.program, self.showsElements) = (format, process, program, showsElements)
        }
    }

    /// The numbers of the running streams.
    package struct Counts: Codable, Sendable, Equatable {
        /// The name of the program.
        package var program: String
        /// Sums over the process.
        package var totals: InspectorSnapshot.Totals
        /// The number of operators whose source is suspended.
        package var suspended: Int
        /// The number of failed upstreams of the running operators.
        package var errors: Int
        /// The running chains by the lines that built them, the most frequent first.
        package var chains: [Inspector.Leak]

        /// Creates an answer.
        package init(program: String, totals: InspectorSnapshot.Totals, suspended: Int, errors: Int, chains: [Inspector.Leak]) {
            (self.program, self.totals, self.suspended, self.errors, self.chains) = (program, totals, suspended, errors, chains)
        }
    }

    /// The reason why a request has no answer.
    package typealias Failure = Inspector.Failure
}
