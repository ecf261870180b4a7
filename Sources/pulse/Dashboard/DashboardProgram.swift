import Foundation
import NetNodes
import TerminalViews

/// Runs a dashboard on the terminal until a key or a signal ends it.
@MainActor
struct DashboardProgram {
    let heading: StyledText
    let columns: [Table.Column]
    let sortableColumns: [Int]
    /// The columns that sort their largest value to the top at first.
    var largestFirst: Set<Int> = []
    /// The keys that only this content uses.
    var commands: [DashboardKeys.Line] = []
    /// The text that is shown before there are entries.
    let waiting: StyledText
    var theme = Theme(environment: ProcessInfo.processInfo.environment)
    var reportsMouse = true
    /// Emits when the bell rings.
    var bells = Observable<Void>.never()
    /// Whether SIGHUP does not end the program.
    var survivesHangUp = false
    /// Creates the content from the state of the dashboard. The result is shared by the list, the detail pane and the status.
    let content: @MainActor (Inputs) -> Observable<Content>
    let isLoading: Observable<Bool>

    /// The inputs on which content can depend.
    struct Inputs: Sendable {
        let state: Observable<DashboardState>
        var commands = Observable<DashboardState.KeyCommand>.never()
        /// The selected entry, starting with the current one.
        var selection = Observable<String?>.just(nil)
    }

    /// Runs the dashboard and returns the exit code. The terminal is restored afterwards.
    func run(on terminal: Terminal) -> Int32 {
        Program.stopOnSignals(survivesHangUp: survivesHangUp)
        let bag = DisposeBag()
        let keyboard = Keyboard(descriptor: terminal.input, takesControlC: true)
        let view = DashboardView(heading: heading, columns: columns, theme: theme, commands: commands)
        let screen = Screen(root: view.root, terminal: terminal)
        // Before the subscription to the content, whose first check may already ring.
        bells.bind(with: screen) { screen, _ in screen.ringBell() }.disposed(by: bag)
        let state = DashboardModel.state(
            of: keyboard.keys, titleClicks: view.table.headerClicks, shownColumns: view.table.shownColumns,
            sortableColumns: sortableColumns, largestFirst: largestFirst)
        let selection = view.table.selection
        let inputs = Inputs(
            state: state, commands: DashboardModel.commands(keyboard.keys, state, selection: selection), selection: selection)
        let content = content(inputs).share(replay: 1, scope: .whileConnected)
        let model = DashboardModel(
            content: content, selection: selection, keys: keyboard.keys, state: state, waiting: waiting, theme: theme)
        view.bind(to: model, size: screen.size, isLoading: isLoading, bag: bag)
        model.exit.bind(onNext: { MainLoop.stop(code: $0) }).disposed(by: bag)
        let actions = keyboard.keys.compactMap { DashboardKeys.all[$0] }
        actions.filter { $0 == .redraw }.bind(with: screen) { screen, _ in screen.redraw() }.disposed(by: bag)
        actions.filter { $0 == .suspend }
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
        let code = screen.run(reportsMouse: reportsMouse)
        keyboard.stop()
        return code
    }
}
