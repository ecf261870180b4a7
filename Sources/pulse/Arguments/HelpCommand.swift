import NetNodes

/// `pulse help`.
@MainActor
struct HelpCommand {
    let topic: Command.Topic?

    func run() -> Int32 {
        let console = Console()
        console.print(Help.page(topic))
        console.flush { MainLoop.stop(code: ExitCode.success) }
        return Program.runUntilStopped()
    }
}
