import NetNodes
import StreamsInspector

/// The snapshots of a process as a stream of events.
struct InspectSource: Sendable {
    /// Takes one snapshot.
    let snapshots: Observable<InspectorSnapshot>
    let interval: Duration
    let scheduler: any Scheduler

    /// Emits everything that happens while not paused. A request that is still in progress when the next is due continues, and the next is
    /// skipped.
    func events(_ inputs: DashboardProgram.Inputs) -> Observable<InspectEvent> {
        let ticks = Observable<Int>.timer(.zero, period: interval, scheduler: scheduler).map { _ in }
        let due = Observable.merge(inputs.state.pausing(ticks), inputs.state.refreshes).share()
        let request = AnyNode<Void, Answer> { [snapshots] in snapshots.map { Answer.success($0) }.catch { Self.answer($0) } }
        let answers = due.through(request, .first)
            .withLatestFrom(inputs.selection) { answer, selection -> InspectEvent in
                switch answer {
                case .success(let snapshot): .snapshot(snapshot, selection: selection)
                case .failure(let failure): .failure(failure)
                }
            }
        return .merge(answers, due.map { .tick }, inputs.commands.map { .command($0) })
    }

    private typealias Answer = Result<InspectorSnapshot, InspectFailure>

    private static func answer(_ error: any Error) -> Observable<Answer> {
        .just(.failure(error as? InspectFailure ?? .malformed(ErrorWording.sentence(error))))
    }
}
