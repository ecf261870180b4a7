import Foundation
import NetNodes
import TerminalViews

/// `pulse watch`.
@MainActor
struct WatchCommand {
    let options: WatchOptions

    func run() -> Int32 {
        let checker = EndpointChecker(timeout: options.timeout)
        if options.isOnce { return runOnce(checker) }
        if !options.isJSON, let terminal = Terminal() { return dashboard(checker).run(on: terminal) }
        return runLines(checker)
    }

    /// The looks at all endpoints, as long as it is not paused.
    private func checks(_ checker: EndpointChecker, state: Observable<DashboardState>) -> Observable<Check> {
        let interval = options.interval
        let ticks = state.pausing(Observable<Int>.interval(interval, scheduler: Self.scheduler).map { _ in }.startWith(()))
        let looks = Observable.merge([ticks, state.refreshes]).share()
        return Observable.merge(options.endpoints.map { endpoint in looks.flatMapFirst { checker.check(endpoint) } })
    }

    private func dashboard(_ checker: EndpointChecker) -> DashboardProgram {
        let board = WatchBoard(endpoints: options.endpoints)
        return DashboardProgram(
            title: StyledText("pulse watch", .bold) + "  \(board.records.count) endpoints, every \(Wording.seconds(options.interval))",
            columns: WatchBoard.columns,
            sortableColumns: WatchBoard.sortableColumns,
            placeholder: "Nothing matches the filter.",
            content: { state in
                checks(checker, state: state).scan(board) { $0.adding($1) }.startWith(board).map { Content(entries: $0.entries) }
            },
            isLoading: checker.isLoading
        )
    }

    private func runLines(_ checker: EndpointChecker) -> Int32 {
        let console = Console()
        checks(checker, state: .just(DashboardState(sortableColumns: [])).concat(.never()))
            .map(line)
            .bind(onNext: { console.printLine($0) })
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    private func runOnce(_ checker: EndpointChecker) -> Int32 {
        let console = Console()
        let line = line
        Observable.merge(options.endpoints.map(checker.check))
            .observe(on: MainScheduler.instance)
            .do(onNext: { check in MainScheduler.runOnMainActor { console.printLine(line(check)) } })
            .reduce(true) { $0 && $1.isUp }
            .bind(onNext: { isUp in
                console.flush { MainLoop.stop(code: isUp ? ExitCode.success : ExitCode.failure) }
            })
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    private var line: @Sendable (Check) -> String {
        options.isJSON ? { CheckLine.json($0) } : { CheckLine.text($0) }
    }

    private static let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse watch")
}
