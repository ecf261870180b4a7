import Foundation
import NetNodes
import TerminalViews

/// A screen of the processes that can be inspected, of which you choose one with its number, or with the arrows and Enter.
@MainActor
final class InspectChooser {
    let root: View
    let list = List()
    let focus: Focus
    private let titles = Label(style: Style(.cyan, .bold))
    private let footer = Label()
    /// The number of the chosen process in the order of the list.
    private(set) var chosen: Int?

    init(theme: Theme) {
        titles.style = theme.header
        list.selectedIndex = 0
        list.selectedStyle = theme.selection
        let heading = StatusBar(leading: StyledText("pulse inspect", .bold) + "  which process?", style: theme.statusBar)
        root = Stack(.vertical, [heading, titles, list, footer])
        focus = Focus(in: root)
        let digits: [Focus.Bindings.Line] = (1...9).map { digit in
            Key.Binding("inspect the process with this number", .character(Character("\(digit)"))) { [weak self] in self?.choose(digit - 1)
            }
        }
        let keys: [Focus.Bindings.Line] = [
            Key.Binding("inspect the selected process", .enter, hint: .init("inspect", key: "enter", rank: 1)) { [weak self] in
                self?.choose(self?.list.selectedIndex)
            },
            Key.Binding("quit", .character("q"), .escape, hint: "quit") { MainLoop.stop(code: ExitCode.success) },
            Key.Binding("quit", .control("c")) { MainLoop.stop(code: ExitCode.signal(SIGINT)) },
        ]
        focus.bindings = Key.Bindings(digits + keys)
        footer.content = StyledText(" 1-9, ↑↓ select ", theme.faint) + focus.bindings.hints(in: 60, style: theme.faint)
    }

    /// Shows the lines, of which the first is the titles of the columns.
    func show(_ lines: [String]) {
        titles.text = "   \(lines.first ?? "")"
        list.texts = lines.dropFirst().enumerated().map { "\($0.offset < 9 ? "\($0.offset + 1)" : " ")  \($0.element)" }
    }

    private func choose(_ index: Int?) {
        guard let index, list.items.indices.contains(index) else { return }
        chosen = index
        MainLoop.stop(code: ExitCode.success)
    }

    /// Shows the lines until a process is chosen, and returns the exit code.
    func run(_ lines: Observable<[String]>, on terminal: Terminal, reportsMouse: Bool) -> Int32 {
        Program.stopOnSignals()
        let keyboard = Keyboard(descriptor: terminal.input, takesControlC: true)
        let screen = Screen(root: root, terminal: terminal)
        keyboard.keys.bind(to: focus.rx.keys).disposed(by: MainLoop.disposeBag)
        keyboard.keys.subscribe(
            onError: { _ in MainLoop.stop(code: ExitCode.noResources) },
            onCompleted: { MainLoop.stop(code: ExitCode.signal(SIGHUP)) }
        ).disposed(by: MainLoop.disposeBag)
        lines.bind(with: self) { chooser, lines in chooser.show(lines) }.disposed(by: MainLoop.disposeBag)
        let code = screen.run(reportsMouse: reportsMouse)
        keyboard.stop()
        return code
    }
}
