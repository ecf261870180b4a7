import StreamsTesting
import Testing

@testable import StreamsInspector

/// Law 5 with the inspector on: more stack for each operator, and no more for each round.
@Suite("Loops under the inspector", .onOneThread, .enabled(if: Inspector.isAvailable))
struct InspectorLoopTests {
    @Test(arguments: DepthLaw.Loop.allCases)
    func `A stream that leads back to itself grows neither the stack nor the tree`(_ loop: DepthLaw.Loop) {
        onThread {
            let scope = InspectorScope()
            let turns = DepthLaw.Turns(5_000)
            let most = Lock(0)
            let end = Lock(false)
            scope.inspecting {
                let subscription = loop.stream(turns).do(onNext: { _ in
                    let count = scope.count
                    most.withLock { $0 = max($0, count) }
                }).subscribe { event in if event.isStopEvent { end.withLock { $0 = true } } }
                turns.scheduler.run()
                subscription.dispose()
            }
            #expect(end.withLock { $0 } && turns.left == 0)
            #expect(most.withLock { $0 } < 20, "operators at once")
            #expect(scope.count == 0)
        }
    }

    @Test func `Twenty thousand rounds of repeat`() {
        onThread {
            let scope = InspectorScope()
            let count = Lock(0)
            scope.inspecting {
                Observable.of(1).map { $0 }.repeat().take(20_000).subscribe(onNext: { _ in count.withLock { $0 += 1 } }).dispose()
            }
            #expect(count.withLock { $0 } == 20_000 && scope.count == 0)
        }
    }

    @Test func `A chain of a hundred operators, and thirty nested streams, on 512 KiB`() {
        onThread {
            let scope = InspectorScope()
            let last = Lock(0)
            scope.inspecting {
                let subject = PublishSubject<Int>()
                var chain = subject.asObservable()
                for _ in 0..<100 { chain = chain.map { $0 + 1 } }
                let subscription = chain.subscribe(onNext: { value in last.withLock { $0 = value } })
                subject.onNext(0)
                #expect(scope.count == 101)
                subscription.dispose()
                @Sendable func nested(_ depth: Int) -> Observable<Int> {
                    depth == 0 ? .just(7) : Observable.just(1).flatMapLatest { _ in nested(depth - 1) }
                }
                nested(30).subscribe(onNext: { value in last.withLock { $0 += value } }).dispose()
            }
            #expect(last.withLock { $0 } == 107 && scope.count == 0)
        }
    }
}
