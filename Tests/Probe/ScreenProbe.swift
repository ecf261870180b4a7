import Foundation
import TerminalViews

/// A program with a screen of one line: the last key. It ends with `q`.
@MainActor
enum ScreenProbe {
    private enum Mode: String {
        /// Ctrl-C is not its key.
        case plain
        /// Ctrl-C is its key.
        case takes
        /// Nobody keeps the screen.
        case dropped
    }

    static func run(_ mode: String) -> Never {
        guard let mode = Mode(rawValue: mode), let terminal = Terminal() else { exit(64) }
        let label = Label("ready")
        let keyboard = Keyboard(takesControlC: mode == .takes)
        keyboard.keys.map { "key \($0)" }.bind(to: label.rx.text).disposed(by: MainLoop.disposeBag)
        keyboard.keys.filter { $0 == .character("q") }.bind(onNext: { _ in MainLoop.stop(code: 7) }).disposed(by: MainLoop.disposeBag)
        guard mode == .dropped else { exit(Screen(root: label, terminal: terminal).run(reportsMouse: true)) }
        _ = Screen(root: label, terminal: terminal)
        terminal.enter()
        exit(MainLoop.run())
    }
}
