import NetNodes

/// `pulse help` and `pulse --version`.
@MainActor
struct HelpCommand {
    let page: String

    func run() -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        console.print(page)
        console.flush { MainLoop.stop(code: ExitCode.success) }
        return MainLoop.run()
    }
}
