import NetNodes
import StreamsInspector
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("The snapshots of a process as a stream", .countsResources)
struct InspectSourceTests {
    private let scheduler = VirtualTimeScheduler()

    /// A board that follows a source under virtual time, and how often a snapshot was asked for.
    private final class Followed: Sendable {
        let board = Lock(InspectBoard())
        let requests = Lock(0)
        let state = BehaviorRelay(value: DashboardState(sortableColumns: [0]))
        let subscription = SerialDisposable()

        func follow(_ scheduler: VirtualTimeScheduler, _ answer: @escaping @Sendable (Int) -> Observable<InspectorSnapshot>) {
            let snapshots = Observable<InspectorSnapshot>.deferred { [self] in answer(countRequest()) }
            let source = InspectSource(snapshots: snapshots, interval: .seconds(1), scheduler: scheduler)
            subscription.disposable = source.events(DashboardProgram.Inputs(state: state.asObservable()))
                .subscribe(onNext: { [self] event in board.withLock { $0 = $0.applying(event) } })
        }

        private func countRequest() -> Int {
            requests.withLock { count in
                defer { count += 1 }
                return count
            }
        }

        func press(_ key: Key) { state.accept(state.value.applying(key)) }
        var problem: String? { board.withLock(\.problem) }
        var count: Int { board.withLock(\.history.count) }
    }

    @Test func `A snapshot a second; space pauses, r asks even then`() {
        let followed = Followed()
        followed.follow(scheduler) { .just(SampleSnapshots.shop(at: $0)) }
        scheduler.advance(by: .milliseconds(3_500))
        #expect(followed.count == 4)
        followed.press(.character(" "))
        scheduler.advance(by: .seconds(5))
        #expect(followed.count == 4)
        followed.press(.character("r"))
        #expect(followed.count == 5)
        followed.subscription.dispose()
    }

    @Test func `While one request is in progress no other is begun, and after five seconds the screen says so`() {
        let (followed, answer) = (Followed(), PublishSubject<InspectorSnapshot>())
        followed.follow(scheduler) { $0 == 1 ? answer.take(1) : .just(SampleSnapshots.shop(at: $0)) }
        scheduler.advance(by: .milliseconds(5_500))
        #expect(followed.requests.withLock(\.self) == 2)
        #expect(followed.problem == nil)
        scheduler.advance(by: .seconds(1))
        #expect(followed.problem == "the process has not answered for 6 s: it may be stopped, or be no inspector")
        answer.onNext(SampleSnapshots.shop(at: 8))
        #expect(followed.problem == nil && followed.count == 2)
        scheduler.advance(by: .seconds(1))
        #expect(followed.requests.withLock(\.self) == 3)
        followed.subscription.dispose()
    }

    @Test func `When the process ends the last snapshot stays, with a line that says so`() {
        let followed = Followed()
        followed.follow(scheduler) {
            $0 == 0 ? .just(SampleSnapshots.shop()) : .error(InspectFailure.unreachable("/tmp/4242-a.sock"))
        }
        scheduler.advance(by: .milliseconds(2_500))
        #expect(followed.problem == "the process has ended; this is its last snapshot")
        #expect(followed.board.withLock { $0.snapshot?.nodes.count } == 9)
        followed.subscription.dispose()
    }

    @Test func `Memory is bounded, however long it runs and however many operators there are`() {
        var board = InspectBoard()
        for second in 0..<300 { board = board.applying(.snapshot(SampleSnapshots.shop(at: second), selection: nil)) }
        #expect(board.history.count == 121)
        var large = SampleSnapshots.shop()
        large.nodes = (0..<150_000).map { Node(id: UInt64($0), operatorName: "never", age: 1) }
        for _ in 0..<3 { board = board.applying(.snapshot(large, selection: nil)) }
        #expect(board.history.count == 1)
    }
}
