import NetNodes
import StreamsInspector

/// The conspicuous facts of a snapshot in which nothing is silent: each is a sentence that names the operator and its line.
struct InspectFindings {
    private typealias Node = InspectorSnapshot.Node

    private let forest: InspectForest

    /// Collects the findings, the most urgent first, and at most a few of a kind. O(nodes log nodes).
    init(_ forest: InspectForest) {
        self.forest = forest
    }

    var sentences: [String] {
        [places, busy, limits, overflows, unpaired, overtakes, slowBoundaries, crowds, duplicates].flatMap { $0.prefix(Self.mostOfAKind) }
    }

    /// Reports that no line of the program is known.
    private var places: [String] {
        let built = forest.nodes.filter { $0.isInternal != true }
        guard !built.isEmpty, built.allSatisfy({ $0.place == nil }) else { return [] }
        return ["the program has no debug information, so that no line is known: it was built with `-gnone`, or stripped"]
    }

    /// Handlers that block a thread: of nested deliveries, the outermost.
    private var busy: [String] {
        forest.nodes.indices.compactMap { index in
            let node = forest.nodes[index]
            guard node.blocks else { return nil }
            let parent = forest.parent(of: index).map { forest.nodes[$0] }
            guard parent?.blocks != true else { return nil }
            let handler = parent.map(\.named) ?? "the observer of \(node.named)"
            let thread = node.lastEvent?.thread ?? ""
            let place = thread == "main" ? "the main loop runs nothing else meanwhile" : "nothing else runs on this thread meanwhile"
            let time =
                node.isBlocking
                ? "has been handling an element for \(Self.time(node.busy ?? 0))" : "takes \(Self.time(node.meanHandling)) for an element"
            return "\(handler) \(time) on \(thread.isEmpty ? "a thread" : "`\(thread)`"): \(place)"
        }
    }

    /// Limiters for which subscriptions wait: the line that waits longest, and those of other lines before it.
    private var limits: [String] {
        let users = Dictionary(grouping: forest.nodes.filter { $0.limiter != nil }) { $0.limiter?.id ?? 0 }
        return users.sorted { $0.key < $1.key }.compactMap { _, users in
            let waiting = users.filter { $0.limiter?.isWaiting == true }
            let lines = Dictionary(grouping: waiting, by: \.line).values
            guard let fewest = lines.min(by: { $0.isBefore($1) }), let first = fewest.max(by: { $0.age < $1.age }) else { return nil }
            let limiter = first.limiter.map { "\($0.kind) (\($0.figures))" } ?? ""
            let subject = fewest.count == 1 ? "\(first.named) has" : "\(fewest.count) subscriptions of \(first.named) have"
            return "\(subject) waited up to \(Self.time(first.age)) for a permit of a \(limiter)\(Self.holders(users))"
                + (lines.count > 1 ? Self.rivals(lines.max { $0.isBefore($1) } ?? [], of: first) : "")
        }
    }

    /// Returns the holders of the permits of a bulkhead; the permits of a rate limiter are used up.
    private static func holders(_ users: [Node]) -> String {
        let holders = users.filter { $0.limiter?.isWaiting == false && $0.limiter?.kind == "Bulkhead" }
        guard let quiet = holders.map({ $0.lastEvent?.age ?? $0.age }).min() else { return "" }
        return ", held by \(Wording.count(holders.count, "stream")) without an element for \(time(quiet))"
    }

    private static func rivals(_ others: [Node], of first: Node) -> String {
        let before = others.count { $0.age > first.age }
        return "; \(others.count) of \(others.first?.named ?? "other lines") wait for the same limiter, \(before) of them before it"
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 9.95 ? "\(Wording.number(seconds, places: 1)) s" : Wording.elapsed(seconds)
    }

    /// Full queues whose source is not suspended.
    private var overflows: [String] {
        forest.nodes.indices.compactMap { index in
            let node = forest.nodes[index]
            guard let queue = node.queues.first(where: { $0.name == "elements" && $0.fill >= 1 }) else { return nil }
            let upstreams = forest.upstreams(of: index).map { forest.nodes[$0] }
            guard let fastest = upstreams.max(by: { $0.rate < $1.rate }), fastest.rate > 2 * node.rate else { return nil }
            guard upstreams.allSatisfy({ $0.state != .suspended }) else { return nil }
            return "\(node.named) is full and suspends nothing: it receives \(Wording.rate(fastest.rate)) elements per second and emits "
                + "\(Wording.rate(node.rate)), so that elements are dropped (\(queue.text))"
        }
    }

    /// Joins whose streams are not suspended, although one of them is far ahead.
    private var unpaired: [String] {
        forest.nodes.compactMap { node in
            guard let queue = node.queues.first(where: { $0.name == "unpaired elements" && $0.fill > 1.5 }) else { return nil }
            return "\(node.named) keeps \(queue.count) elements of a stream that is ahead, over its bound of \(queue.bound ?? 0): "
                + "that stream is shared or hot, so that nothing suspends it, and they grow"
        }
    }

    private var overtakes: [String] {
        forest.nodes.indices.compactMap { index in
            let node = forest.nodes[index]
            guard node.operatorName == "flatMap", node.overtaken > 0 else { return nil }
            let running = forest.upstreams(of: index).count - 1
            return "elements of \(node.named) arrive out of the order of their sources: \(Wording.count(running, "inner stream")) "
                + "run at once, and \(node.overtaken) \(node.overtaken == 1 ? "was" : "were") overtaken by a later one"
        }
    }

    /// Boundaries that suspend their upstream although they deliver.
    private var slowBoundaries: [String] {
        let suspensions = Dictionary(grouping: forest.nodes.compactMap(\.suspension)) { $0.boundary ?? 0 }
        return forest.nodes.compactMap { node in
            guard let longest = suspensions[node.id]?.map(\.age).max(), longest >= Self.longestSuspension, !node.isJoin else { return nil }
            return "\(node.named) has suspended its source for \(Self.time(longest)): its consumer handles "
                + "\(Wording.rate(node.rate)) elements per second"
        }
    }

    /// Chains of one line that are many, and that nothing is known to dispose.
    private var crowds: [String] {
        let roots = forest.nodes.filter { $0.parent == nil && $0.retainer == .unknown }
        let crowds = Dictionary(grouping: roots, by: \.line).values.filter { $0.count >= Self.crowd }
        return crowds.sorted { $1.isBefore($0) }.compactMap { chains in
            let ages = chains.map(\.age).sorted()
            // Chains that were started together belong together.
            guard let (youngest, oldest) = ages.first.map({ ($0, ages[ages.count - 1]) }), oldest - youngest >= 1 else { return nil }
            return "\(chains.count) chains of \(chains[0].named) are running, started \(Self.time(oldest)) to \(Self.time(youngest)) ago, "
                + "and no bag, task or connection disposes them"
        }
    }

    /// Cold sources of one line that run in chains of different lines.
    private var duplicates: [String] {
        let sources = forest.nodes.indices.filter { index in
            let node = forest.nodes[index]
            return node.place != nil && node.sharing == nil && node.operatorName.first?.isUppercase == false
                && forest.upstreams(of: index).isEmpty
        }
        let groups = Dictionary(grouping: sources) { forest.nodes[$0].line }.values.filter { $0.count > 1 }
        return groups.sorted { $0[0] < $1[0] }.compactMap { group in
            let consumers = group.compactMap { forest.path(from: $0).last }.map { forest.nodes[$0] }
            let lines = Dictionary(grouping: consumers, by: \.line).values.compactMap(\.first).sorted { $0.id < $1.id }
            guard lines.count > 1 else { return nil }
            return
                "\(forest.nodes[group[0]].named) runs \(group.count) times, for \(lines.prefix(3).map(\.named).joined(separator: " and ")): "
                + "it is cold, and `share()` would run it once"
        }
    }

    private static let mostOfAKind = 3
    /// The age from which a suspension is reported, in seconds.
    private static let longestSuspension = 1.0
    private static let crowd = 3
}

extension InspectorSnapshot.Node {
    /// An operator and its line.
    fileprivate struct Line: Hashable {
        let operatorName: String
        let place: Place?
    }

    fileprivate var line: Line { Line(operatorName: operatorName, place: place) }

    fileprivate var named: String { "`\(operatorName)`\(place.map { " (\($0))" } ?? "")" }

    /// Whether the consumer blocks a thread, now or most of the time.
    fileprivate var blocks: Bool { isBlocking || meanHandling >= 0.1 && handlingTime >= age / 4 }

    fileprivate var isBlocking: Bool { busy ?? 0 >= 0.25 }

    /// The mean time of a handling, in seconds.
    fileprivate var meanHandling: Double { handlingTime / Double(max(1, elements)) }

    fileprivate var isJoin: Bool { queues.contains { $0.name == "unpaired elements" } }
}

extension [InspectorSnapshot.Node] {
    /// Orders groups by their size, and equal ones by their first member.
    fileprivate func isBefore(_ other: [InspectorSnapshot.Node]) -> Bool {
        (count, first?.id ?? 0) < (other.count, other.first?.id ?? 0)
    }
}
