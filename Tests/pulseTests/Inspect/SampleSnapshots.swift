import Foundation
import Streams
import StreamsInspector

@testable import pulse

typealias Node = InspectorSnapshot.Node

/// Snapshots of a program with a full queue, a silent source in a `zip`, a failing `retry`, and a stream that is not connected.
enum SampleSnapshots {
    /// - Parameter second: the seconds since the first of them.
    static func shop(at second: Int = 0, leaks: Int = 0) -> InspectorSnapshot {
        var snapshot = InspectorSnapshot(process: 4242, program: "shop", time: 1_700_000_000 + Double(second))
        snapshot.nodes = orders(second) + quotes(second) + retries(second) + prices() + leaked(leaks)
        snapshot.totals.chains = snapshot.nodes.count { $0.parent == nil }
        snapshot.totals.nodes = snapshot.nodes.count
        snapshot.totals.started = 99
        return snapshot
    }

    static func answer(_ snapshot: InspectorSnapshot) -> String { snapshot.json }

    static func counts(of snapshot: InspectorSnapshot) -> InspectorProtocol.Counts {
        InspectorProtocol.Counts(
            program: snapshot.program, totals: snapshot.totals, suspended: snapshot.nodes.count { $0.state == .suspended },
            errors: snapshot.nodes.reduce(0) { $0 + $1.errors }, chains: snapshot.leaks)
    }

    /// The answer to a request for counts.
    static func answer(counting snapshot: InspectorSnapshot) -> String {
        ((try? JSONEncoder().encode(counts(of: snapshot))).map { String(decoding: $0, as: UTF8.self) } ?? "") + "\n"
    }

    static func node(_ id: UInt64, _ name: String, in parent: UInt64? = nil, line: Int, age: Double = 90) -> Node {
        Node(id: id, parent: parent, operatorName: name, place: Node.Place(file: "Shop/Orders.swift", line: line), age: age)
    }

    /// A slow observer: its boundary is full.
    private static func orders(_ second: Int) -> [Node] {
        var boundary = node(1, "observe(on:)", line: 12)
        boundary.elements = UInt64(100 + second)
        boundary.rate = 1
        boundary.queues = [Node.Queue(name: "elements", count: 64, bound: 64)]
        boundary.lastEvent = Node.LastEvent(age: 0.2, thread: "main")
        boundary.retainer = .bag
        var map = node(2, "map", in: 1, line: 11)
        map.elements = boundary.elements + 64
        map.lastEvent = Node.LastEvent(age: 3, thread: "orders")
        var source = node(3, "interval", in: 2, line: 10)
        source.elements = map.elements
        source.state = .suspended
        source.suspension = Node.Suspension(boundary: 1, age: 3, reason: .full)
        source.lastEvent = map.lastEvent
        return [boundary, map, source]
    }

    private static func quotes(_ second: Int) -> [Node] {
        var zip = node(4, "zip", line: 20)
        zip.retainer = .unknown
        var left = node(5, "interval", in: 4, line: 18)
        left.elements = UInt64(200 + second * 2)
        left.rate = 2
        left.lastEvent = Node.LastEvent(age: 0.1, thread: "quotes")
        left.queues = [Node.Queue(name: "elements", count: 200, bound: nil)]
        return [zip, left, node(6, "PublishSubject", in: 4, line: 19)]
    }

    private static func retries(_ second: Int) -> [Node] {
        var retry = node(7, "retry", line: 30)
        retry.retainer = .task
        (retry.starts, retry.errors, retry.lastError) = (13 + second, 12 + second, "connection refused")
        return [retry, node(8, "create", in: 7, line: 29, age: 0.1)]
    }

    private static func prices() -> [Node] {
        var publish = node(9, "publish", line: 40)
        publish.sharing = Node.Sharing(id: 1, isConnected: false, subscribers: 1)
        publish.retainer = .unknown
        return [publish]
    }

    private static func leaked(_ count: Int) -> [Node] {
        (0..<count).map { index in
            var node = Self.node(UInt64(100 + index), "interval", line: 50, age: Double(count - index))
            node.retainer = .unknown
            return node
        }
    }
}
