import Streams
import Testing

@testable import pulse

@Suite("What stands out in a snapshot")
struct InspectFindingsTests {
    private func sentences(_ nodes: [Node]) -> [String] { InspectFindings(InspectForest(nodes)).sentences }

    private func node(_ id: UInt64, _ name: String, in parent: UInt64? = nil, line: Int, _ change: (inout Node) -> Void = { _ in }) -> Node
    {
        var node = SampleSnapshots.node(id, name, in: parent, line: line)
        change(&node)
        return node
    }

    @Test func `A handler that blocks a thread, now or most of the time`() {
        let interval = node(1, "interval", line: 3) { ($0.busy, $0.lastEvent) = (4.2, .init(age: 4.2, thread: "main")) }
        #expect(
            sentences([interval]) == [
                "the observer of `interval` (Shop/Orders.swift:3) has been handling an element for 4.2 s on `main`: "
                    + "the main loop runs nothing else meanwhile"
            ])
        let map = node(1, "map", line: 4)
        let source = node(2, "interval", in: 1, line: 3) { source in
            (source.elements, source.handlingTime, source.age) = (20, 40, 60)
            source.lastEvent = .init(age: 2, thread: "worker")
        }
        #expect(
            sentences([map, source]) == [
                "`map` (Shop/Orders.swift:4) takes 2.0 s for an element on `worker`: nothing else runs on this thread meanwhile"
            ])
        var once = source
        (once.elements, once.handlingTime) = (1, 2)
        #expect(sentences([map, once]) == [], "a slow start")
    }

    @Test func `A caller that waits behind those of another line`() {
        func call(_ id: UInt64, line: Int, age: Double, kind: String = "RateLimiter", isWaiting: Bool = true) -> Node {
            node(id, "limited", line: line) {
                $0.limiter = .init(id: 7, kind: kind, figures: "4 queued", isWaiting: isWaiting)
                $0.age = age
            }
        }
        let calls = (1...3).map { call(UInt64($0), line: 5, age: 4 + Double($0)) }
        #expect(
            sentences(calls + [call(9, line: 8, age: 6)]) == [
                "`limited` (Shop/Orders.swift:8) has waited up to 6.0 s for a permit of a RateLimiter (4 queued); "
                    + "3 of `limited` (Shop/Orders.swift:5) wait for the same limiter, 1 of them before it"
            ])
        #expect(
            sentences([call(1, line: 5, age: 9, kind: "Bulkhead", isWaiting: false), call(2, line: 6, age: 8, kind: "Bulkhead")]) == [
                "`limited` (Shop/Orders.swift:6) has waited up to 8.0 s for a permit of a Bulkhead (4 queued), "
                    + "held by 1 stream without an element for 9.0 s"
            ])
    }

    @Test func `A full queue whose source is not suspended`() {
        let boundary = node(1, "observe", line: 3) {
            $0.queues = [.init(name: "elements", count: 32, bound: 32)]; $0.rate = 19
        }
        let source = node(2, "PublishSubject", in: 1, line: 3) { $0.rate = 900 }
        #expect(
            sentences([boundary, source]) == [
                "`observe` (Shop/Orders.swift:3) is full and suspends nothing: it receives 900 elements per second and emits 19.0, "
                    + "so that elements are dropped (32/32)"
            ])
        var suspended = source
        (suspended.state, suspended.suspension) = (.suspended, .init(boundary: 1, age: 5, reason: .full))
        #expect(
            sentences([boundary, suspended]) == [
                "`observe` (Shop/Orders.swift:3) has suspended its source for 5.0 s: its consumer handles 19.0 elements per second"
            ])
    }

    @Test func `Inner streams that overtake each other`() {
        let flatMap = node(1, "flatMap", line: 3) { $0.overtaken = 2 }
        let upstreams = (2...5).map { node($0, "timer", in: 1, line: 2) }
        #expect(
            sentences([flatMap] + upstreams) == [
                "elements of `flatMap` (Shop/Orders.swift:3) arrive out of the order of their sources: 3 inner streams run at once, "
                    + "and 2 were overtaken by a later one"
            ])
    }

    @Test func `Chains of one line that nothing disposes`() {
        let chains = (1...4).map { number in node(number, "map", line: 3) { ($0.retainer, $0.age) = (.unknown, Double(number)) } }
        #expect(
            sentences(chains) == [
                "4 chains of `map` (Shop/Orders.swift:3) are running, started 4.0 s to 1.0 s ago, and no bag, task or connection disposes them"
            ])
        let together = chains.map { chain in
            var chain = chain
            chain.age = 7
            return chain
        }
        #expect(sentences(together) == [])
        #expect(sentences(Array(chains.prefix(2))) == [])
    }

    @Test func `A cold source that runs for several chains`() {
        let nodes = [
            node(1, "scan", line: 4), node(2, "interval", in: 1, line: 3), node(3, "pairwise", line: 5),
            node(4, "interval", in: 3, line: 3),
        ]
        #expect(
            sentences(nodes) == [
                "`interval` (Shop/Orders.swift:3) runs 2 times, for `scan` (Shop/Orders.swift:4) and `pairwise` (Shop/Orders.swift:5): "
                    + "it is cold, and `share()` would run it once"
            ])
        var subjects = nodes
        for index in [1, 3] { subjects[index].operatorName = "PublishSubject" }
        #expect(sentences(subjects) == [])
    }
}
