extension InspectorSnapshot {
    /// An explanation of why a node emits nothing: the first cause on the way upstream.
    package struct Explanation: Codable, Sendable, Equatable, CustomStringConvertible {
        /// The kinds of causes.
        package enum Cause: String, Codable, Sendable {
            /// A boundary downstream is full, or its consumer asks for nothing.
            case suspended
            /// Elements wait in a queue, because the consumer has not received them.
            case waiting
            /// Elements wait for their turn: as many inner streams run as may run at once.
            case queued
            /// The node waits for a permit of a limiter.
            case withoutPermit
            /// A shared stream is not connected to its source.
            case disconnected
            /// The node combines streams, and one of them has emitted nothing, or the least.
            case incomplete
            /// The source has emitted nothing, or nothing lately.
            case silent
            /// The node starts its source again and again, and each attempt fails.
            case failing
            /// The node has terminated.
            case finished
        }

        /// The kind of the cause.
        package var cause: Cause
        /// The node at which the cause was found: the one that you asked for, or one upstream of it.
        package var node: Node.ID
        /// The explanation in one sentence.
        package var description: String
    }

    /// Explains why nothing arrives from `node`. It walks upstream to the first operator that is suspended, waits for a permit, is not
    /// connected, repeats a failing source, lacks an element of one of its streams, or has not emitted. Returns `nil` if there is no such
    /// node. O(nodes).
    package func explanation(of node: Node.ID) -> Explanation? {
        var visited: Set<Node.ID> = []
        return explanation(of: node, among: children, &visited)
    }

    /// `visited` is needed because a snapshot from another process may have cycles.
    private func explanation(of node: Node.ID, among children: [Node.ID: [Node]], _ visited: inout Set<Node.ID>) -> Explanation? {
        guard var current = self.node(node) else { return nil }
        while visited.insert(current.id).inserted {
            let upstreams = children[current.id] ?? []
            if let found = cause(at: current, upstreams) { return found }
            if let found = incompleteness(of: current, upstreams, among: children, &visited) { return found }
            // The upstream that emitted last is the active one: in a sequence there is only one, and in a merge the others are silent.
            guard let next = upstreams.max(by: { $0.activity < $1.activity }) else { break }
            guard current.rate > 0 || next.rate == 0 else {
                let rate = next.rate < 10 ? "\((next.rate * 10).rounded() / 10)" : "\(Int(min(next.rate, 1e12)))"
                return Explanation(
                    cause: .silent, node: current.id,
                    description: "\(current.title) \(current.silence), although \(next.title) emits \(rate) elements per second")
            }
            current = next
        }
        return Explanation(cause: .silent, node: current.id, description: "\(current.title) \(current.silence)\(current.subject)")
    }

    private func cause(at node: Node, _ upstreams: [Node]) -> Explanation? {
        func explain(_ cause: Explanation.Cause, _ sentence: String) -> Explanation {
            Explanation(cause: cause, node: node.id, description: sentence)
        }
        if node.starts > 2, node.errors >= node.starts - 1 {
            let last = node.lastError.map { ", the last with: \($0)" } ?? ""
            return explain(.failing, "\(node.title) has started its source \(node.starts) times, and \(node.errors) attempts failed\(last)")
        }
        if node.state == .finished { return explain(.finished, "\(node.title) has terminated") }
        if let suspension = node.suspension { return explain(.suspended, sentence(for: suspension, of: node)) }
        if let limiter = node.limiter, limiter.isWaiting {
            return explain(.withoutPermit, "\(node.title) waits for a permit of a \(limiter.kind): \(limiter.figures)")
        }
        if let sharing = node.sharing, !sharing.isConnected {
            guard let connection = object(sharing.id) else {
                return explain(.disconnected, "\(node.title) is not connected to its source: `connect()` has not been called")
            }
            return explain(.disconnected, "\(node.title) waits for \(connection.title): \(connection.summary ?? "not connected")")
        }
        if let queue = node.queues.first(where: { $0.count > 0 && $0.name != "unpaired elements" }) {
            let bound = queue.bound.map { " of \($0)" } ?? ""
            let waiting = "\(queue.count)\(bound) \(queue.name) wait in \(node.title)"
            // A boundary starts only its source; an operator that starts several streams limits how many run.
            guard node.starts > 1, !upstreams.isEmpty else { return explain(.waiting, "\(waiting) for its consumer") }
            return explain(.queued, "\(waiting) for the end of an inner stream")
        }
        return nil
    }

    private func sentence(for suspension: Node.Suspension, of node: Node) -> String {
        let time = seconds(suspension.age)
        let boundary = suspension.boundary.flatMap(self.node)
        switch suspension.reason {
        case .backlog:
            return
                "\(node.title) has been suspended for \(time): too many inputs are queued in \(boundary?.title ?? "the end of the chain")"
        case .full:
            guard let boundary else { return "\(node.title) has been suspended for \(time): the reader of the chain asks for nothing" }
            return "\(node.title) has been suspended for \(time) by \(boundary.title), whose consumer is slower"
        }
    }

    /// Returns the explanation for a join that needs an element of each stream: the stream that has emitted least.
    private func incompleteness(
        of node: Node, _ upstreams: [Node], among children: [Node.ID: [Node]], _ visited: inout Set<Node.ID>
    ) -> Explanation? {
        guard Self.joins.contains(node.operatorName), upstreams.count > 1 else { return nil }
        guard let least = upstreams.min(by: { $0.elements < $1.elements }), let most = upstreams.map(\.elements).max() else { return nil }
        let isMissing = node.operatorName == "zip" ? least.elements < most : least.elements == 0
        guard isMissing else { return nil }
        if let deeper = explanation(of: least.id, among: children, &visited), deeper.cause != .silent, deeper.node != least.id {
            return deeper
        }
        let number = least.elements == 0 ? "no element" : "\(least.elements) of \(most) elements"
        return Explanation(
            cause: .incomplete, node: least.id, description: "\(node.title) waits for \(least.title), which has emitted \(number)")
    }

    private static let joins: Set<String> = ["zip", "combineLatest", "withLatestFrom"]
}

extension InspectorSnapshot.Node {
    /// The name of the operator, and its place.
    var title: String {
        let place = place.map { " (\($0))" } ?? ""
        return "`\(operatorName)`\(place)"
    }

    /// The time of the last emission: the greater, the later.
    fileprivate var activity: Double { -(lastEvent?.age ?? age + 1e9) }

    fileprivate var subject: String { summary.map { ": \($0)" } ?? "" }

    fileprivate var silence: String {
        if object != nil { return "has waited for \(seconds(age))" }
        let timer = timers.min().map { ", and its timer is due in \(seconds(max(0, $0)))" } ?? ""
        guard let lastEvent else { return "has emitted nothing since it was started \(seconds(age)) ago\(timer)" }
        return "has emitted nothing for \(seconds(lastEvent.age)), after \(elements) element\(elements == 1 ? "" : "s")\(timer)"
    }
}

/// A time as text, in a few digits. One from another process can be any number.
private func seconds(_ time: Double) -> String {
    let time = time > 0 ? min(time, 1e12) : 0
    return time < 1 ? "\(Int(time * 1_000)) ms" : time < 120 ? "\(Int(time)) s" : "\(Int(time / 60)) min"
}
