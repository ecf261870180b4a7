import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("Why nothing arrives", .enabled(if: Inspector.isAvailable))
struct ExplanationTests {
    private let scope = InspectorScope()

    /// The explanation of the outermost operator of the only chain.
    private func explain() throws -> InspectorSnapshot.Explanation {
        let snapshot = scope.snapshot()
        let root = try #require(snapshot.roots.first)
        return try #require(snapshot.explanation(of: root.id))
    }

    @Test func `A consumer that asks for nothing suspends the source`() throws {
        let gate = Gate()
        gate.suspend()
        scope.inspecting { Observable.from(0..<100).map { $0 }.subscribe(in: gate) { _ in } }
        let explanation = try explain()
        #expect(explanation.cause == .suspended)
        #expect(explanation.description.contains("the reader of the chain asks for nothing"))
        gate.dispose()
    }

    @Test func `A boundary that is full suspends its source`() throws {
        let scheduler = VirtualTimeScheduler()
        let subscription = scope.inspecting {
            Observable.from(0..<100).map { $0 }.observe(on: scheduler, overflow: .suspend(capacity: 4)).subscribe { _ in }
        }
        let snapshot = scope.snapshot()
        let (boundary, map) = (snapshot.nodes[0], snapshot.nodes[1])
        #expect(boundary.queues.contains(.init(name: "elements", count: 4, bound: 4)))
        #expect(map.state == .suspended && map.suspension?.boundary == boundary.id && map.suspension?.reason == .full)
        #expect(snapshot.explanation(of: map.id)?.cause == .suspended)
        #expect(try explain().cause == .waiting)
        #expect(try explain().description.hasPrefix("4 of 4 elements wait in `observe`"))
        subscription.dispose()
    }

    @Test func `Elements that wait for their turn are queued, also after the source has completed`() throws {
        let (source, inner) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = scope.inspecting {
            let subscription = source.map { $0 }.flatMap(maxConcurrent: 1) { _ in inner.map { $0 } }.subscribe { _ in }
            for number in 0..<3 { source.onNext(number) }
            return subscription
        }
        let sentence = try explain().description
        #expect(sentence.hasPrefix("2 of 16 elements wait in `flatMap`") && sentence.hasSuffix(" for the end of an inner stream"))
        #expect(try explain().cause == .queued)
        source.onCompleted()
        #expect(try explain().cause == .queued)
        subscription.dispose()
    }

    @Test func `A limiter that has no permit`() throws {
        let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 1)
        let running = Observable<Int>.never().bulkhead(bulkhead).subscribe { _ in }
        let subscription = scope.inspecting { Observable.just(1).bulkhead(bulkhead).map { $0 }.subscribe { _ in } }
        #expect(try explain().cause == .withoutPermit)
        #expect(try explain().description.hasPrefix("`bulkhead` (StreamsTests/ExplanationTests.swift"))
        running.dispose()
        #expect(scope.snapshot().nodes == [])
        subscription.dispose()
    }

    @Test func `A source that fails at each attempt`() throws {
        let scheduler = VirtualTimeScheduler()
        let subscription = scope.inspecting {
            Observable<Int>.deferred { .error(StreamError.overflow(capacity: 7)) }
                .retry(when: { $0.delay(.seconds(1), scheduler: scheduler) }).subscribe { _ in }
        }
        scheduler.advance(by: .seconds(5))
        let explanation = try explain()
        #expect(explanation.cause == .failing)
        #expect(explanation.description.contains("attempts failed, the last with: "))
        subscription.dispose()
    }

    @Test func `A snapshot of another process with a cycle of joins and the largest numbers has an explanation`() {
        var nodes = (0..<4).map { InspectorSnapshot.Node(id: $0, parent: ($0 + 1) % 2, operatorName: "zip", age: .greatestFiniteMagnitude) }
        nodes[0].elements = .max
        var snapshot = InspectorSnapshot(process: 1, program: "", time: 0)
        snapshot.nodes = nodes
        #expect(snapshot.explanation(of: 0) != nil)
        #expect(snapshot.prometheus().contains("streams_elements{"))
    }

    @Test func `A connectable stream that is not connected`() throws {
        let scheduler = VirtualTimeScheduler()
        let subscription = scope.inspecting {
            let published = Observable<Int>.interval(.seconds(1), scheduler: scheduler).publish()
            let subscription = published.map { $0 }.subscribe { _ in }
            return (published, subscription)
        }
        #expect(try explain().cause == .disconnected)
        let connection = scope.inspecting { subscription.0.connect() }
        #expect(try explain().cause == .silent)
        subscription.1.dispose()
        connection.dispose()
        #expect(scope.snapshot().nodes == [])
    }

    @Test func `A source that has emitted nothing`() throws {
        let subject = PublishSubject<Int>()
        let subscription = scope.inspecting { subject.filter { $0 > 100 }.subscribe { _ in } }
        let explanation = try explain()
        #expect(explanation.cause == .silent)
        #expect(explanation.description.hasPrefix("`PublishSubject`"))
        #expect(explanation.description.contains("has emitted nothing since it was started"))
        subscription.dispose()
    }

    @Test func `An operator that passes nothing on is named, not the source that it receives from`() {
        let filter = InspectorSnapshot.Node(id: 1, operatorName: "filter", age: 9)
        var source = InspectorSnapshot.Node(id: 2, parent: 1, operatorName: "share", age: 9)
        (source.elements, source.rate, source.lastEvent) = (451, 50.1, .init(age: 0.009, thread: ""))
        var snapshot = InspectorSnapshot(process: 1, program: "", time: 0)
        snapshot.nodes = [filter, source]
        let sentence = "`filter` has emitted nothing since it was started 9 s ago, although `share` emits 50 elements per second"
        #expect(snapshot.explanation(of: 1)?.description == sentence)
        source.rate = 0
        snapshot.nodes = [filter, source]
        #expect(snapshot.explanation(of: 1)?.node == 2)
    }

    @Test func `A zip of which one stream has emitted less`() throws {
        let (numbers, letters) = (PublishSubject<Int>(), PublishSubject<String>())
        let subscription = scope.inspecting { Observable.zip(numbers, letters) { "\($0)\($1)" }.map { $0 }.subscribe { _ in } }
        numbers.onNext(1)
        let explanation = try explain()
        #expect(explanation.cause == .incomplete)
        #expect(explanation.description.contains("has emitted no element"))
        subscription.dispose()
    }
}
