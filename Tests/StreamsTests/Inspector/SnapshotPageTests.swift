import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("A page of a large snapshot", .onOneThread, .enabled(if: Inspector.isAvailable))
struct SnapshotPageTests {
    /// Counts the operators that are to be named.
    private final class CountingNames: CallNames {
        private(set) var lookedUp = 0
        private(set) var named = 0

        func lookUp(_ stacks: [CallStack]) { lookedUp += stacks.count }

        func origin(of stack: CallStack) -> CallStack.Site {
            named += 1
            return CallStack.Site(operatorName: "operator \(named)")
        }
    }

    @Test func `Of 100,000 operators only those are looked up that a page shows, and those downstream of them`() {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        let subscriptions = CompositeDisposable(scope.inspecting { (0..<50_000).map { _ in subject.map { $0 }.subscribe { _ in } } })
        defer { subscriptions.dispose() }
        for (first, downstream) in [(0, 0), (60_000, 0), (60_001, 1), (99_999, 1)] {
            let names = CountingNames()
            let page = scope.streams.snapshot(InspectorProtocol.Page(first: first, count: 20), names: names)
            #expect(page.nodes.count == min(20, 100_000 - first) && page.totals.nodes == 100_000 && page.totals.chains == 50_000)
            #expect(page.totals.outside == 100_000 - page.nodes.count)
            #expect(page.nodes.allSatisfy { $0.operatorName.hasPrefix("operator ") })
            #expect(names.named == page.nodes.count + downstream && names.lookedUp == names.named)
        }
        let names = CountingNames()
        #expect(scope.streams.counts(names: names).chains == [Inspector.Leak(operatorName: "operator 1", place: nil, count: 50_000)])
        #expect(names.lookedUp == 1 && names.named == 1)
    }

    @Test func `The pages of a tree are the whole, wherever it is cut`() {
        let scope = InspectorScope()
        let subject = PublishSubject<Int>()
        let subscription = scope.inspecting {
            Observable.combineLatest(subject.nwise(2).map(\.count), subject.filter { $0 > 0 }.skip(1)) { $0 + $1 }.subscribe { _ in }
        }
        defer { subscription.dispose() }
        let whole = scope.snapshot().nodes.map {
            "\($0.id) \($0.parent ?? 0) \($0.operatorName) \($0.isInternal ?? false) \($0.retainer == nil)"
        }
        #expect(whole.contains { $0.contains("true") } && whole.count > 6)
        for count in 1...whole.count {
            let pages = stride(from: 0, to: whole.count, by: count).flatMap { first in
                scope.streams.snapshot(InspectorProtocol.Page(first: first, count: count)).nodes
            }
            #expect(pages.map { "\($0.id) \($0.parent ?? 0) \($0.operatorName) \($0.isInternal ?? false) \($0.retainer == nil)" } == whole)
        }
    }
}
