extension InspectorSnapshot {
    /// The changes between two snapshots of a process, by the lines that built the chains. A leak shows as growth.
    package struct Difference: Codable, Sendable, Equatable {
        /// The operators of one line.
        package struct Change: Codable, Sendable, Equatable {
            /// The operator.
            package var operatorName: String
            /// The line; `nil` if it is unknown.
            package var place: Node.Place?
            /// The number of operators that were running.
            package var before: Int
            /// The number of operators that are running.
            package var after: Int
            /// The elements per second that operators have emitted in between, of those that ran in both snapshots.
            package var rate: Double
        }

        /// The seconds between the snapshots.
        package var duration: Double
        /// The lines whose number of running operators has changed; the greatest growth comes first.
        package var changes: [Change]
        /// The running chains that were started in between.
        package var started: [Node]
        /// The chains that were running and no longer are.
        package var ended: [Node]
    }

    /// Returns the changes since `earlier`, a snapshot of the same process. O(nodes).
    package func difference(from earlier: InspectorSnapshot) -> Difference {
        struct Line: Hashable {
            let operatorName: String
            let place: Node.Place?
        }
        let duration = time - earlier.time
        let before = Dictionary(grouping: earlier.nodes) { Line(operatorName: $0.operatorName, place: $0.place) }
        let after = Dictionary(grouping: nodes) { Line(operatorName: $0.operatorName, place: $0.place) }
        let elements = Dictionary(earlier.nodes.map { ($0.id, $0.elements) }, uniquingKeysWith: { first, _ in first })
        let changes = Set(before.keys).union(after.keys).map { line in
            let now = after[line] ?? []
            let emitted = now.reduce(0.0) { sum, node in sum + (elements[node.id].map { Double(node.elements) - Double($0) } ?? 0) }
            return Difference.Change(
                operatorName: line.operatorName, place: line.place, before: before[line]?.count ?? 0, after: now.count,
                rate: duration > 0 ? emitted / duration : 0)
        }
        let ids = Set(nodes.map(\.id))
        return Difference(
            duration: duration, changes: changes.filter { $0.before != $0.after }.sorted(by: Self.growsMore),
            started: roots.filter { elements[$0.id] == nil }, ended: earlier.roots.filter { !ids.contains($0.id) })
    }

    private static func growsMore(_ a: Difference.Change, _ b: Difference.Change) -> Bool {
        let (first, second) = (a.after - a.before, b.after - b.before)
        guard first == second else { return first > second }
        return (a.place?.description ?? "", a.operatorName) < (b.place?.description ?? "", b.operatorName)
    }
}
