import NetNodes

/// What a condition of `--fail-on` counts.
struct InspectCount {
    /// The number that is compared.
    let count: Int
    /// The lines of the program that it consists of, the greatest first; empty for a sum over the process.
    var places: [Inspected] = []

    /// A line of the program, and how often it is counted.
    struct Inspected: Equatable {
        let operatorName: String
        let place: InspectorSnapshot.Node.Place?
        let count: Int
    }

    /// - Parameter earlier: the snapshot that `leaked` compares with.
    init(_ figure: FailCondition.Figure, in snapshot: InspectorSnapshot, since earlier: InspectorSnapshot?) {
        switch figure {
        case .leaked:
            places = snapshot.grownChains(since: earlier ?? snapshot)
            count = places.reduce(0) { $0 + $1.count }
        case .suspended: count = snapshot.nodes.count { $0.state == .suspended }
        case .nodes: count = snapshot.nodes.count + snapshot.totals.hidden
        case .chains: count = snapshot.chains
        case .errors: count = snapshot.nodes.reduce(0) { $0 + $1.errors }
        }
    }

    /// `leaked > 0 holds: 3, of which 2 interval (App/Quotes.swift:12)`.
    func sentence(_ condition: FailCondition) -> String {
        let parts = places.prefix(5).map { "\($0.count) `\($0.operatorName)`\($0.place.map { " (\($0))" } ?? "")" }
        return "\(condition) holds: \(figureText)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))"
    }

    private var figureText: String { "it is \(count)" }
}

extension InspectorSnapshot {
    /// The lines that have more chains than in an earlier snapshot, and how many more.
    fileprivate func grownChains(since earlier: InspectorSnapshot) -> [InspectCount.Inspected] {
        struct Line: Hashable {
            let operatorName: String
            let place: Node.Place?
        }
        let count = { (nodes: [Node]) in
            Dictionary(
                nodes.filter { $0.parent == nil }.map { (Line(operatorName: $0.operatorName, place: $0.place), 1) }, uniquingKeysWith: +)
        }
        let before = count(earlier.nodes)
        return count(nodes).compactMap { line, after in
            let grown = after - (before[line] ?? 0)
            return grown > 0 ? InspectCount.Inspected(operatorName: line.operatorName, place: line.place, count: grown) : nil
        }.sorted { ($1.count, $0.operatorName, $0.place?.description ?? "") < ($0.count, $1.operatorName, $1.place?.description ?? "") }
    }
}
