import NetNodes
import StreamsInspector
import TerminalViews

/// The nodes of a snapshot as trees, with the visible ones and their order.
struct InspectForest: Sendable {
    typealias Node = InspectorSnapshot.Node

    let nodes: [Node]
    /// The number of nodes between each and the outermost one of its chain.
    let depths: [Int]
    private let parents: [Int?]
    /// The upstreams of each node are `members[starts[node]..<starts[node + 1]]`.
    private let members: [Int]
    private let starts: [Int]
    private let roots: [Int]
    /// The nodes that are no operators.
    let objects: [Int]
    /// All nodes, parents before their children.
    private let order: [Int]

    /// Builds the forest. O(nodes), for any parents.
    init(_ nodes: [Node]) {
        let parents = Self.parents(of: nodes)
        var starts = [Int](repeating: 0, count: nodes.count + 1)
        for case let parent? in parents { starts[parent + 1] += 1 }
        for index in nodes.indices { starts[index + 1] += starts[index] }
        var places = starts
        var members = [Int](repeating: 0, count: starts.last ?? 0)
        for (index, parent) in parents.enumerated() {
            guard let parent else { continue }
            members[places[parent]] = index
            places[parent] += 1
        }
        let roots = nodes.indices.filter { parents[$0] == nil }
        var order = roots
        var depths = [Int](repeating: 0, count: nodes.count)
        var next = 0
        while next < order.count {
            let node = order[next]
            for child in members[starts[node]..<starts[node + 1]] {
                depths[child] = depths[node] + 1
                order.append(child)
            }
            next += 1
        }
        (self.nodes, self.depths, self.parents, self.members, self.starts) = (nodes, depths, parents, members, starts)
        (self.roots, self.order) = (roots, order)
        objects = nodes.indices.filter { nodes[$0].object != nil }
    }

    /// Returns the index of each node's parent; `nil` if it has none, if the parent does not exist, and if the node is in a cycle.
    static func parents(of nodes: [Node]) -> [Int?] {
        let places = Dictionary(nodes.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        var parents = nodes.enumerated().map { index, node in node.parent.flatMap { places[$0] } }
        // The walk on which a node was first met: to meet a node of the same walk again means a cycle.
        var walks = [Int](repeating: -1, count: nodes.count)
        for start in nodes.indices {
            var node = start
            while walks[node] == -1 {
                walks[node] = start
                guard let parent = parents[node] else { break }
                if walks[parent] == start { parents[node] = nil } else { node = parent }
            }
        }
        return parents
    }

    func upstreams(of index: Int) -> ArraySlice<Int> { members[starts[index]..<starts[index + 1]] }

    func parent(of index: Int) -> Int? { parents[index] }

    /// Whether the node is the outermost operator of a chain.
    func isOutermost(_ index: Int) -> Bool {
        nodes[index].object == nil && parents[index].map { nodes[$0].object != nil } ?? true
    }

    /// `12 operators`, and the number of objects besides them.
    var counts: String {
        let count = Wording.count(nodes.count - objects.count, "operator")
        return objects.isEmpty ? count : "\(count), \(Wording.count(objects.count, "object"))"
    }

    /// Returns the node and its downstream, the outermost last.
    func path(from index: Int) -> [Int] {
        var path = [index]
        while let last = path.last, let parent = parents[last] { path.append(parent) }
        return path
    }
}

extension InspectForest {
    /// Returns the visible nodes from top to bottom. With a filter, these are the nodes that match, and their downstream; without one,
    /// those whose downstream is not collapsed. O(n log n).
    func visible(_ query: Query, collapsed: Set<Node.ID>) -> [Int] {
        let matches = matches(query.filter)
        let isBefore = comparison(query.sorting)
        var result: [Int] = []
        var open = sorted(roots.filter { matches?[$0] ?? true }, isBefore)
        while let node = open.popLast() {
            result.append(node)
            let upstreams = upstreams(of: node)
            guard !upstreams.isEmpty, matches != nil || !collapsed.contains(nodes[node].id) else { continue }
            open += sorted(upstreams.filter { matches?[$0] ?? true }, isBefore)
        }
        return result
    }

    /// Sorts the nodes, the last one first, as a stack needs them.
    private func sorted(_ indices: [Int], _ isBefore: ((Int, Int) -> Bool)?) -> [Int] {
        guard let isBefore, indices.count > 1 else { return indices.reversed() }
        return indices.sorted { isBefore($1, $0) || !isBefore($0, $1) && $1 < $0 }
    }

    /// Returns which nodes are shown; `nil` means all.
    private func matches(_ filter: String) -> [Bool]? {
        let words = filter.lowercased().split(separator: " ")
        guard !words.isEmpty else { return nil }
        var matches = nodes.map { node in
            let text = node.searchText
            return words.allSatisfy(text.contains)
        }
        for node in order.reversed() where matches[node] {
            if let parent = parents[node] { matches[parent] = true }
        }
        return matches
    }

    /// Compares two trees by the greatest value in them, so that the tree of the hottest operator is at the top; `nil` keeps the order in
    /// which they were built.
    private func comparison(_ sorting: Table.Sorting) -> ((Int, Int) -> Bool)? {
        let column = InspectColumn(rawValue: sorting.column) ?? .tree
        let isAscending = sorting.isAscending
        if column == .place {
            let places = nodes.map { $0.place.map { ($0.file, $0.line) } ?? ("\u{10FFFF}", 0) }
            return { isAscending ? places[$0] < places[$1] : places[$1] < places[$0] }
        }
        guard let value = column.value else {
            guard !isAscending else { return nil }
            return { $0 > $1 }
        }
        var greatest = nodes.map(value)
        for node in order.reversed() {
            if let parent = parents[node] { greatest[parent] = max(greatest[parent], greatest[node]) }
        }
        return { isAscending ? greatest[$0] < greatest[$1] : greatest[$1] < greatest[$0] }
    }
}

extension InspectorSnapshot.Node {
    /// The text with which a filter is compared.
    fileprivate var searchText: String {
        [operatorName, place?.description, name, summary, status, lastError].compactMap(\.self).joined(separator: " ").lowercased()
    }
}

extension InspectForest {
    /// Returns the reason why nothing arrives from a node; `nil` if elements have arrived within the last two seconds.
    func silence(of index: Int) -> String? {
        guard isSilent(index) else { return nil }
        return surroundings(of: index).explanation(of: nodes[index].id)?.description
    }

    /// The reasons why nothing arrives from the silent chains, without those that only wait for elements of a source, or for their turn.
    var causes: [String] {
        let silent = nodes.indices.lazy.filter { isOutermost($0) && isSilent($0) }
        let found = silent.prefix(Self.mostExplained).compactMap { surroundings(of: $0).explanation(of: nodes[$0].id) }
        return found.filter { ![.silent, .queued].contains($0.cause) }.prefix(Self.mostCauses).map(\.description)
    }

    private static let mostExplained = 200
    private static let mostCauses = 20

    /// Whether the node has emitted nothing in the last two seconds.
    func isSilent(_ index: Int) -> Bool {
        let node = nodes[index]
        return node.object == nil && node.rate == 0 && (node.lastEvent?.age ?? node.age) >= 2
    }

    /// Returns the node, its downstream, and the nearest nodes upstream: the explanation looks no further, whatever the process has
    /// answered.
    private func surroundings(of index: Int) -> InspectorSnapshot {
        var found = Array(path(from: index).prefix(Self.longestPath).reversed())
        var next = found.count - 1
        let deepest = depths[index] + Self.longestPath
        while next < found.count, found.count < Self.mostNodes {
            if depths[found[next]] < deepest { found += upstreams(of: found[next]) }
            next += 1
        }
        var surroundings = InspectorSnapshot(process: 0, program: "", time: 0)
        let used = Set(found.compactMap { nodes[$0].sharing?.id })
        let known = Set(found)
        surroundings.nodes = (found + objects.filter { !known.contains($0) && used.contains(nodes[$0].object ?? 0) }).map { nodes[$0] }
        return surroundings
    }

    private static let longestPath = 64
    private static let mostNodes = 2_000
}
