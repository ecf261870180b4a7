import Foundation
import NetNodes
import TerminalViews

/// `pulse watch`.
@MainActor
struct WatchCommand {
    let options: WatchOptions
    private let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse watch")

    init(options: WatchOptions) {
        self.options = options
    }

    func run() -> Int32 {
        let checker = EndpointChecker(timeout: options.timeout)
        if options.isOnce { return runOnce(checker) }
        if !options.isJSON, let terminal = Terminal() { return dashboard(checker).run(on: terminal) }
        return runLines(checker)
    }

    /// Emits the checks of all endpoints while not paused.
    private func checks(_ checker: EndpointChecker, state: Observable<DashboardState>) -> Observable<Check> {
        let interval = Observable<Int>.interval(options.interval, scheduler: scheduler).map { _ in }
        let ticks = Observable.merge(state.pausing(interval.startWith(())), state.refreshes).share()
        // A check that is still running when the next is due continues, and the next is skipped.
        return .merge(options.endpoints.map { endpoint in ticks.through(AnyNode { checker.check(endpoint) }, .first) })
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
        checks(checker, state: .unattended)
            .map(line)
            .bind(onNext: { console.printLine($0) })
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    private func runOnce(_ checker: EndpointChecker) -> Int32 {
        let console = Console()
        let write = line
        let looks = Observable<Check>.merge(options.endpoints.map { checker.check($0) }).observe(on: MainScheduler.instance)
        looks
            .do(onNext: { look in MainScheduler.runOnMainActor { console.printLine(write(look), isLasting: true) } })
            .reduce(true) { isUp, look in isUp && look.isUp }
            .bind(onNext: { isUp in console.flush { MainLoop.stop(code: isUp ? ExitCode.success : ExitCode.failure) } })
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    private var line: @Sendable (Check) -> String {
        let isJSON = options.isJSON
        return { check in isJSON ? CheckLine.json(check) : CheckLine.text(check) }
    }
}
