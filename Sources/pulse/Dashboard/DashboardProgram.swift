import Foundation
import NetNodes
import TerminalViews

/// Runs a dashboard on the terminal until a key or a signal ends it.
@MainActor
struct DashboardProgram {
    let heading: StyledText
    let columns: [Table.Column]
    let sortableColumns: [Int]
    /// The text that is shown before there are entries.
    let waiting: StyledText
    var theme = Theme(environment: ProcessInfo.processInfo.environment)
    var reportsMouse = true
    /// Emits when the bell rings.
    var bells = Observable<Void>.never()
    /// Whether SIGHUP does not end the program.
    var survivesHangUp = false
    /// Creates the content from the state of the dashboard. The result is shared by the list, the detail pane and the status.
    let content: @MainActor (Observable<DashboardState>) -> Observable<Content>
    let isLoading: Observable<Bool>

    /// Runs the dashboard and returns the exit code. The terminal is restored afterwards.
    func run(on terminal: Terminal) -> Int32 {
        guard terminal.enter(reportsMouse: reportsMouse) else { return Self.exitCodeWithoutTerminal }
        defer { terminal.leave() }
        Program.stopOnSignals(survivesHangUp: survivesHangUp)
        let bag = DisposeBag()
        let keyboard = Keyboard(descriptor: terminal.input)
        let view = DashboardView(heading: heading, columns: columns, theme: theme)
        let screen = Screen(root: view.root, terminal: terminal)
        // Before the content is subscribed to: its first check may already ring.
        bells.bind(with: screen) { screen, _ in screen.ringBell() }.disposed(by: bag)
        let state = DashboardModel.state(
            of: keyboard.keys, titleClicks: view.table.headerClicks, shownColumns: view.table.shownColumns,
            sortableColumns: sortableColumns)
        let content = content(state).share(replay: 1, scope: .whileConnected)
        let model = DashboardModel(
            content: content, selection: view.table.selection, keys: keyboard.keys, state: state, waiting: waiting, theme: theme)
        view.bind(to: model, size: screen.size, isLoading: isLoading, bag: bag)
        model.exit.bind(onNext: { MainLoop.stop(code: $0) }).disposed(by: bag)
        keyboard.keys.filter { $0 == .control("l") }.bind(with: screen) { screen, _ in screen.redraw() }.disposed(by: bag)
        keyboard.keys.filter { $0 == .control("z") }
            .bind(onNext: { _ in
                terminal.suspend()
                screen.redraw()
            })
            .disposed(by: bag)
        // The keys complete when the terminal disconnects, whether or not the signal has been delivered already.
        keyboard.keys.subscribe(
            onError: { _ in MainLoop.stop(code: ExitCode.noResources) },
            onCompleted: { MainLoop.stop(code: ExitCode.signal(SIGHUP)) }
        ).disposed(by: bag)
        let code = MainLoop.run()
        keyboard.stop()
        screen.close()
        return code
    }

    private static var exitCodeWithoutTerminal: Int32 {
        guard errno != EIO else { return ExitCode.signal(SIGHUP) }
        Console.printError("pulse: the terminal could not be set up")
        return ExitCode.failure
    }
}
