import Foundation
import NetNodes
import TerminalViews

/// The screen of `pulse tail`.
@MainActor
final class TailScreen {
    let root: View
    let log: TailLog
    let focus: Focus
    private let header: StatusBar
    private let filter = TextField(prompt: StyledText(" / ", .bold), placeholder: StyledText("enter keeps the filter, esc clears it", .dim))
    private let footer = Label()
    private let help: Centered
    private let names: [String]
    private let theme: Theme
    private var width = 80
    private weak var screen: Screen?
    private weak var terminal: Terminal?
    /// The exit code after `q`.
    private(set) var outcome = TailOutcome()

    init(_ names: [String], theme: Theme, bounds: @autoclosure () -> TailBuffer = TailBuffer()) {
        self.names = names
        self.theme = theme
        log = TailLog(names, theme: theme, bounds: bounds())
        let titles = names.prefix(Self.mostTitles).enumerated().map { StyledText("  \($0.element)", TailLog.color($0.offset)) }
        let rest = names.count > titles.count ? StyledText("  and \(names.count - titles.count) more") : ""
        header = StatusBar(leading: titles.reduce(StyledText("pulse tail", .bold), +) + rest, style: theme.statusBar)
        let text = Label()
        text.wraps = true
        let lines = ScrollView(text)
        help = Centered(Border(lines, title: StyledText("Keys", .bold), style: theme.accent))
        help.isHidden = true
        filter.isHidden = true
        root = Stack(.vertical, [header, Layers([log, help]), filter, footer])
        focus = Focus(in: root)
        focus.bindings = bindings
        text.content = focus.bindings.help(style: theme.faint)
        header.trailing = log.status
    }

    /// Shows the events until a key or a signal ends it, and returns the exit code.
    func run(_ events: Observable<TailEvent>, on terminal: Terminal, reportsMouse: Bool) -> Int32 {
        Program.stopOnSignals()
        let bag = MainLoop.disposeBag
        let keyboard = Keyboard(descriptor: terminal.input, takesControlC: true)
        let screen = Screen(root: root, terminal: terminal)
        (self.screen, self.terminal) = (screen, terminal)
        keyboard.keys.bind(with: self) { tail, key in
            tail.take(key)
        }.disposed(by: bag)
        keyboard.keys.subscribe(
            onError: { _ in MainLoop.stop(code: ExitCode.noResources) },
            onCompleted: { MainLoop.stop(code: ExitCode.signal(SIGHUP)) }
        ).disposed(by: bag)
        screen.size.bind(with: self) { tail, size in tail.resize(to: size) }.disposed(by: bag)
        events.observe(on: MainScheduler.instance)
            .bind(with: self) { tail, event in tail.take(event) }
            .disposed(by: bag)
        let result = screen.run(reportsMouse: reportsMouse)
        keyboard.stop()
        return result
    }

    func take(_ key: Key) {
        focus.handle(key)
        log.filter = filter.input.text
        header.trailing = log.status
        drawFooter()
    }

    func take(_ event: TailEvent) {
        switch event {
        case .line(let source, let text): log.append(TailLine(source: source, text: text))
        case .note(let source, let sentence): log.append(TailLine(source: source, text: sentence, isNote: true))
        case .ended(let source, let reason, let code):
            log.append(TailLine(source: source, text: reason, isNote: true))
            outcome.end(of: source, code: code)
        }
        header.trailing = log.status
    }

    func resize(to size: Size) {
        width = size.width
        drawFooter()
    }

    private func drawFooter() {
        let note = log.filter.isEmpty ? "" : StyledText("  filter ", theme.faint) + StyledText(log.filter, .bold) + "  esc clears"
        let hints = focus.bindings.hints(in: width - note.width, style: theme.faint)
        footer.content = (hints + note).clipped(to: width)
        footer.isHidden = !filter.isHidden
    }

    private var bindings: Focus.Bindings {
        [
            Key.Binding("scroll back; the end follows again", label: "↑ ↓  PgUp  End"),
            Key.Binding(
                "pause, resume: what comes meanwhile waits", .character(" "), .character("p"), hint: .init("pause", key: "space", rank: 3)
            ) {
                [weak self] in self?.log.togglePause()
            },
            Key.Binding("show only the lines with these words", .character("/"), hint: .init("filter", rank: 2)) {
                [weak self] in self?.edit(true)
            },
            Key.Binding("clear the filter, close the help", .escape) { [weak self] in self?.leave() },
            Key.Binding("in the filter: keep it", .enter) { [weak self] in self?.edit(false) },
            Key.Binding("JSON lines laid out, or as they are", .character("j"), hint: .init("JSON", rank: 4)) { [weak self] in
                self?.log.laysOutJSON.toggle()
            },
            Key.Binding("redraw", .control("l")) { [weak self] in self?.screen?.redraw() },
            Key.Binding("suspend, until the shell's fg", .control("z")) { [weak self] in self?.suspend() },
            Key.Binding("this help", .character("?"), .function(1), hint: .init("help", rank: 1)) { [weak self] in self?.showHelp() },
            Key.Binding(
                "quit",
                [
                    .character("q"): { [weak self] in MainLoop.stop(code: self?.outcome.code ?? ExitCode.success) },
                    .control("c"): { MainLoop.stop(code: ExitCode.signal(SIGINT)) },
                    .control("\\"): { MainLoop.stop(code: ExitCode.signal(SIGQUIT)) },
                ], label: "q  ^C", hint: "quit"),
        ]
    }

    private func suspend() {
        terminal?.suspend()
        screen?.redraw()
    }

    private func edit(_ isEdited: Bool) {
        guard help.isHidden else { return }
        filter.isHidden = !isEdited
        focus.focusedView = isEdited ? filter : log
    }

    private func leave() {
        guard help.isHidden else {
            help.isHidden = true
            return focus.scope = nil
        }
        filter.input = TextField.Input()
        edit(false)
    }

    private func showHelp() {
        help.isHidden.toggle()
        focus.scope = help.isHidden ? nil : help
    }

    /// The names that the top of the screen has room for.
    private static let mostTitles = 6
}
