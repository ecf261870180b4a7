import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("Races under the inspector", .enabled(if: Inspector.isAvailable))
struct InspectorRaces {
    @Test func `Two threads subscribe and dispose while a third takes snapshots`() {
        let scope = InspectorScope()
        scope.inspecting {
            let subject = PublishSubject<Int>()
            let shared = subject.map { $0 }.share()
            let stream = Observable.merge(subject.asObservable(), shared).flatMapLatest { Observable.just($0) }
            let isDone = Lock(false)
            @Sendable func subscribeOften() {
                for number in 0..<300 {
                    let subscription = stream.subscribe { _ in }
                    subject.onNext(number)
                    subscription.dispose()
                }
            }
            together {
                together(subscribeOften, subscribeOften)
                isDone.withLock { $0 = true }
            } _: {
                while !isDone.withLock({ $0 }) {
                    let snapshot = scope.snapshot()
                    #expect(Set(snapshot.nodes.map(\.id)).count == snapshot.nodes.count)
                }
            }
        }
        #expect(scope.count == 0)
    }
}
