import NetNodes
import StreamsInspector
import TerminalViews

extension DashboardProgram {
    /// Returns the dashboard of an inspected process.
    static func inspecting(_ source: InspectSource, board: InspectBoard, theme: Theme, reportsMouse: Bool = true) -> DashboardProgram {
        DashboardProgram(
            heading: StyledText("pulse inspect", .bold),
            columns: InspectColumn.columns(hasErrors: false),
            sortableColumns: InspectColumn.sortable,
            largestFirst: InspectColumn.largestFirst,
            commands: DashboardKeys.ofInspect,
            waiting: "Waiting for the first snapshot.",
            theme: theme,
            reportsMouse: reportsMouse,
            content: { inputs in
                source.events(inputs)
                    .scan(board) { board, event in board.applying(event) }
                    .distinctUntilChanged(by: { $0.version == $1.version })
                    .map { $0.content(theme) }
            },
            isLoading: .just(false)
        )
    }
}

extension DashboardKeys {
    /// The keys that only the screen of an inspected process uses.
    static let ofInspect = [
        Line(
            "mark now, and show what grows from then on; back to the tree", .character("d"), hint: .init("what grew", rank: 9),
            action: .command),
        Line("show the operators that the package built, too; hide them", .character("a"), hint: .init("all", rank: 9), action: .command),
        Line(
            "collapse or expand the row, all chains", .character("c"), .character("C"), hint: .init("collapse", rank: 9), action: .command),
    ]
}

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
