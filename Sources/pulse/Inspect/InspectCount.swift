import NetNodes
import StreamsInspector

/// The count for a condition of `--fail-on`.
struct InspectCount {
    /// The number that is compared.
    let count: Int
    /// The lines of the program that contribute to it, the greatest first; empty for a sum over the process.
    var places: [Inspector.Leak] = []

    /// - Parameter earlier: the snapshot with which `leaked` compares.
    init(_ figure: FailCondition.Figure, in snapshot: InspectorSnapshot, since earlier: InspectorSnapshot?) {
        switch figure {
        case .leaked:
            places = snapshot.grownChains(since: earlier ?? snapshot)
            count = places.reduce(0) { $0 + $1.count }
        case .suspended: count = snapshot.nodes.count { $0.state == .suspended }
        case .nodes: count = snapshot.nodes.count { $0.object == nil } + snapshot.totals.hidden
        case .chains: count = snapshot.roots.count
        case .errors: count = snapshot.nodes.reduce(0) { $0 + $1.errors }
        }
    }

    /// Returns `leaked > 0 holds: 3, of which 2 interval (App/Quotes.swift:12)`.
    func sentence(_ condition: FailCondition) -> String {
        let parts = places.prefix(5).map { "\($0.count) `\($0.operatorName)`\($0.place.map { " (\($0))" } ?? "")" }
        return "\(condition) holds: \(figureText)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))"
    }

    private var figureText: String { "it is \(count)" }
}

extension InspectorSnapshot {
    /// Returns the lines that have more chains than in an earlier snapshot, and the numbers of additional chains.
    fileprivate func grownChains(since earlier: InspectorSnapshot) -> [Inspector.Leak] {
        func line(_ leak: Inspector.Leak) -> Inspector.Leak {
            var line = leak
            line.count = 0
            return line
        }
        let before = Dictionary(uniqueKeysWithValues: earlier.leaks.map { (line($0), $0.count) })
        return leaks.compactMap { leak in
            var grown = leak
            grown.count -= before[line(leak)] ?? 0
            return grown.count > 0 ? grown : nil
        }.sorted { ($1.count, $0.operatorName, $0.place?.description ?? "") < ($0.count, $1.operatorName, $1.place?.description ?? "") }
    }
}
