import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("Objects that the inspector shows beside the streams", .enabled(if: Inspector.isAvailable))
struct InspectedObjectsTests {
    private let scope = InspectorScope()
    private let scheduler = VirtualTimeScheduler()

    private var objects: [InspectorSnapshot.Node] { scope.snapshot().nodes.filter { $0.object != nil } }

    @Test func `A context is shown at its line until its operation has ended, with the operators of its operation`() throws {
        let subject = PublishSubject<Int>()
        let line = #line + 1
        let context = scope.inspecting { subject.map { $0 + 1 }.asContext() }
        let node = try #require(objects.first)
        #expect(node.operatorName == "Context" && node.summary == "pending" && node.parent == nil)
        #expect(node.place?.line == line)
        #expect(scope.snapshot().children[node.id]?.map(\.operatorName) == ["asContext"])
        #expect(scope.snapshot().leaks.map(\.operatorName) == ["asContext"])
        subject.onNext(1)
        subject.onCompleted()
        #expect(objects.isEmpty)
        withExtendedLifetime(context) {}
    }

    @Test func `A context is the upstream of those that are derived from it`() throws {
        let source = scope.inspecting { Context<Int>() }
        let derived = scope.inspecting { source.map { $0 + 1 }.onCompleted { _ in } }
        #expect(objects.count == 2)
        let (first, second) = (try #require(objects.last), try #require(objects.first))
        #expect(first.parent == second.id && second.parent == nil)
        source.emit(error: StreamError.noElements)
        #expect(objects.first?.summary?.hasPrefix("has failed: ") == true)
        derived.cancel()
        #expect(objects.isEmpty)
    }

    @Test func `A context that nobody references is not kept`() {
        weak var weakContext: Context<Int>?
        scope.inspecting {
            let context = Context<Int>()
            weakContext = context
            #expect(objects.count == 1)
        }
        #expect(weakContext == nil && objects.isEmpty)
    }

    @Test func `Ten thousand contexts that have gone leave no more than a thousand records`() {
        scope.inspecting { for _ in 0..<10_000 { _ = Context<Int>() } }
        #expect(scope.objectCount <= 1_001)
    }

    @Test func `A limiter is shown with its figures, and has the number that its users name`() throws {
        let limiter = scope.inspecting { RateLimiter(1, per: .seconds(60), maxWait: .seconds(600), scheduler: scheduler) }
        let subscriptions = (0..<3).map { _ in scope.inspecting { Observable<Int>.never().rateLimit(limiter).subscribe { _ in } } }
        let node = try #require(objects.first)
        #expect(node.operatorName == "RateLimiter" && node.summary == "0 tokens, 2 queued, 1 permitted, 0 rejected")
        #expect(Set(scope.snapshot().roots.compactMap(\.limiter?.id)) == [node.object])
        for subscription in subscriptions { subscription.dispose() }
    }

    @Test func `A bulkhead and a circuit breaker are shown`() {
        let (bulkhead, breaker) = scope.inspecting {
            (Bulkhead(maxConcurrent: 2, queueCapacity: 0), CircuitBreaker(.failures(5, within: .seconds(30)), openFor: .seconds(10)))
        }
        #expect(objects.map(\.operatorName) == ["Bulkhead", "CircuitBreaker"])
        withExtendedLifetime((bulkhead, breaker)) {}
    }

    @Test func `Objects are neither chains nor leaks, nor counted as operators`() {
        let context = scope.inspecting { Context<Int>() }
        let snapshot = scope.snapshot()
        #expect(snapshot.leaks.isEmpty && snapshot.roots.isEmpty && snapshot.totals.nodes == 0 && snapshot.totals.chains == 0)
        #expect(!snapshot.prometheus().contains("Context"))
        #expect(snapshot.dot().contains("Context\\npending"))
        withExtendedLifetime(context) {}
    }
}
