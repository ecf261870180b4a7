import Foundation
import NetNodes
import TerminalViews

/// `pulse watch`: endpoints form a stream of events, the events make a board, and the board is shown.
@MainActor
struct WatchCommand {
    private let options: WatchOptions
    private let source: WatchSource
    private let sinks: WatchSinks
    private let theme: Theme
    private let scheduler: any Scheduler

    /// - Throws: `UsageError` if a file cannot be read or opened.
    init(options: WatchOptions) throws(UsageError) {
        self.options = options
        let usual = Theme(environment: ProcessInfo.processInfo.environment)
        theme = options.isLight.map { $0 ? .light : .dark } ?? usual
        scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse watch")
        source = try WatchSource(options, scheduler: scheduler)
        sinks = try WatchSinks(options, alerting: source.alerting, board: WatchBoard(theme: theme), scheduler: scheduler)
    }

    func run() -> Int32 {
        let failure = Lock<String?>(nil)
        let failures = sinks.failures.bind(onNext: { sentence in
            failure.withLock { $0 = sentence }
            MainLoop.stop(code: ExitCode.outputFailure)
        })
        defer { failures.dispose() }
        let code = runUntilStopped()
        do {
            try sinks.finish()
        } catch {
            failure.withLock { $0 = $0 ?? "the statistics could not be written: \(ErrorWording.sentence(error))" }
        }
        guard let sentence = failure.withLock(\.self) else { return code }
        Console.printError("pulse: \(sentence)")
        return ExitCode.outputFailure
    }

    private func runUntilStopped() -> Int32 {
        if options.isOnce { return runOnce() }
        if !options.isJSON, let terminal = Terminal() { return dashboard.run(on: terminal) }
        return runLines()
    }

    /// Makes the screen from events by way of a board: its content is a function of them.
    private var dashboard: DashboardProgram {
        let heading = WatchHeading(options: options, theme: theme)
        let board = WatchBoard(theme: theme).applying(.targets(source.targets))
        return DashboardProgram(
            heading: heading.text(board),
            columns: board.columns,
            sortableColumns: EndpointEntry.sortableColumns,
            waiting: options.replay == nil ? "Waiting for the first check." : "Waiting for the first event of the recording.",
            theme: theme,
            reportsMouse: options.reportsMouse,
            bells: sinks.bells.asObservable(),
            survivesHangUp: options.config != nil,
            content: { [source, sinks, scheduler] inputs in
                sinks.following(source.events(inputs.state))
                    .scan(board) { board, event in board.applying(event) }
                    .startWith(board)
                    .do(onNext: { sinks.board.accept($0) })
                    .throttle(Self.frameTime, latest: true, scheduler: scheduler)
                    .map { heading.content($0) }
            },
            isLoading: source.isLoading
        )
    }

    /// Prints a line for each check.
    private func runLines() -> Int32 {
        Program.stopOnSignals(survivesHangUp: options.config != nil)
        let console = Console()
        let board = sinks.board
        let line = line
        let isRecorded = options.replay != nil
        sinks.following(source.unattendedEvents())
            .do(onNext: { event in board.accept(board.value.applying(event)) })
            .observe(on: MainScheduler.instance)
            .subscribe(
                onNext: { event in
                    MainScheduler.runOnMainActor {
                        if case .problem(let sentence?) = event { Console.printError("pulse: \(sentence)") }
                        if let check = event.check { console.printLine(line(check), isLasting: isRecorded) }
                    }
                },
                onCompleted: { MainScheduler.runOnMainActor { console.flush { MainLoop.stop(code: ExitCode.success) } } }
            )
            .disposed(by: MainLoop.disposeBag)
        return MainLoop.run()
    }

    /// Checks each endpoint once, and prints the results in the order of the endpoints: the exit code says whether all are up.
    private func runOnce() -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        let board = sinks.board
        let write = line
        sinks.following(source.checkOnce().map { .check($0) })
            .do(onNext: { event in board.accept(board.value.applying(event)) })
            .compactMap(\.check)
            .observe(on: MainScheduler.instance)
            .do(onNext: { check in MainScheduler.runOnMainActor { console.printLine(write(check), isLasting: true) } })
            .reduce(true) { isUp, check in isUp && check.isUp }
            .bind(onNext: { isUp in console.flush { MainLoop.stop(code: isUp ? ExitCode.success : ExitCode.failure) } })
            .disposed(by: MainLoop.disposeBag)
        return MainLoop.run()
    }

    private var line: @Sendable (Check) -> String {
        let isJSON = options.isJSON
        let nameWidth = source.targets.map { TerminalText.width(of: TerminalText.sanitized($0.id)) }.max() ?? 0
        return { check in isJSON ? CheckLine.json(check) : CheckLine.text(check, nameWidth: nameWidth) }
    }

    /// The time within which several checks are drawn together.
    private static let frameTime = Duration.milliseconds(200)
}
