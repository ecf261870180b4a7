import Foundation
import NetNodes
import TerminalViews

/// `pulse tail`: the lines of files and of a command, on a screen, or printed where there is no terminal.
@MainActor
struct TailCommand {
    private let options: TailOptions

    init(options: TailOptions) {
        self.options = options
    }

    func run() throws -> Int32 {
        if let terminal = Terminal() {
            let theme = options.isLight.map { $0 ? .light : .dark } ?? Theme(environment: ProcessInfo.processInfo.environment)
            let source = TailSource(options, longestLine: Self.longestShownLine)
            return TailScreen(source.names, theme: theme).run(source.events, on: terminal, reportsMouse: options.reportsMouse)
        }
        return printLines(TailSource(options, longestLine: Self.longestPrintedLine))
    }

    /// Prints each line when the one before has been taken: a slow reader slows what is followed.
    private func printLines(_ source: TailSource) -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        let names = source.names.count > 1 ? source.names.map { TerminalText.sanitized($0) + ": " } : [""]
        let outcome = Lock(TailOutcome())
        source.events
            .observe(on: SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse tail"))
            .subscribe(
                onNext: { event in
                    switch event {
                    case .line(let source, let line): console.printWaiting("\(names[source])\(line)")
                    case .note(_, let sentence): Console.printError("pulse: \(sentence)")
                    case .ended(let source, let reason, let code):
                        if code != ExitCode.success { Console.printError("pulse: \(reason)") }
                        outcome.withLock { $0.end(of: source, code: code) }
                    }
                },
                onCompleted: { MainLoop.stop(code: outcome.withLock(\.code)) }
            )
            .disposed(by: MainLoop.disposeBag)
        return MainLoop.run()
    }

    /// A line of a screen is cut here, so that the lines that are kept have a bounded size.
    private static let longestShownLine = 16 * 1024
    private static let longestPrintedLine = 16 * 1024 * 1024
}
