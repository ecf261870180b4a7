import Foundation

/// The running streams of a process at one moment: a tree of operators for each subscription, as a flat list.
///
/// A snapshot is a value that you can encode, compare and keep. `Inspector.snapshot()` takes one of this process,
/// `InspectorSocket.snapshot(at:)` takes one of another. Its counters are read one by one while streams run: each is right by itself, but
/// two need not be from the same instant.
package struct InspectorSnapshot: Codable, Sendable, Equatable {
    /// The version of the format that this library writes. It changes when a property changes its meaning or is removed; readers ignore
    /// unknown properties.
    package static let currentFormat = 1

    /// The version of the format.
    package var format = currentFormat
    /// The number of the process.
    package var process: Int32
    /// The name of the program.
    package var program: String
    /// The time of the snapshot, in seconds since 1970.
    package var time: Double
    /// Sums over the process.
    package var totals = Totals()
    /// Each running operator, and the objects beside the operators, parents before their children. In a page, the parents of the first ones
    /// can be missing.
    package var nodes: [Node] = []

    /// Creates a snapshot without streams.
    package init(process: Int32, program: String, time: Double) {
        (self.process, self.program, self.time) = (process, program, time)
    }

    /// The counts over the whole process since the inspector was switched on.
    package struct Totals: Codable, Sendable, Equatable {
        /// The number of running chains, among those that are shown.
        package var chains = 0
        /// The number of operators that are running and shown.
        package var nodes = 0
        /// The number of operators that were started since then, whether or not they are still running.
        package var started: UInt64 = 0
        /// The number of operators that are running and not shown, because the inspector shows as many as it keeps.
        package var hidden = 0

        /// The number of operators and objects that are running and not in this snapshot, which is a page; `nil` if it has all.
        package var outside: Int?

        /// Creates totals of nothing.
        package init() {}
    }
}

extension InspectorSnapshot {
    /// Returns the node with this id; `nil` if it is not running. O(nodes).
    package func node(_ id: Node.ID) -> Node? {
        nodes.first { $0.id == id }
    }

    /// The outermost operators, each of a chain of its own; an object is the only parent that they may have. O(nodes).
    package var roots: [Node] {
        let objects = Set(nodes.lazy.filter { $0.object != nil }.map(\.id))
        return nodes.filter { $0.object == nil && $0.parent.map(objects.contains) ?? true }
    }

    /// Returns the object with a number; `nil` if it is not shown. O(nodes).
    func object(_ number: UInt64) -> Node? {
        nodes.first { $0.object == number }
    }

    /// The upstreams of each node that has any, in the order in which they were started. O(nodes).
    package var children: [Node.ID: [Node]] {
        Dictionary(grouping: nodes.filter { $0.parent != nil }, by: { $0.parent ?? 0 })
    }
}
