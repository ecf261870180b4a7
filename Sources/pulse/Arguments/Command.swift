import Foundation

/// The command that `pulse` runs.
enum Command: Equatable {
    case demo
    case watch(WatchOptions)
    case inspect(InspectOptions)
    case get(GetOptions)
    case download(DownloadOptions)
    /// Runs the commands one after another.
    indirect case each([Command])
    case serve(port: Int)
    case completion(Shell)
    case manual
    /// Writes the output of a command into the file in which the system looks for it.
    indirect case install(Command, file: URL)
    case help(Subcommand?)
    case version
}

extension Command {
    /// Runs the command and returns the exit code.
    @MainActor
    func run() throws -> Int32 {
        switch self {
        case .demo: try DemoCommand().run()
        case .watch(let options): try WatchCommand(options: options).run()
        case .inspect(let options): try InspectCommand(options: options).run()
        case .get(let options): try GetCommand(options: options).run()
        case .download(let options): try DownloadCommand(options: options).run()
        case .each(let commands): Pulse.run(each: commands)
        case .serve(let port): try ServeCommand(port: port).run()
        case .install(let command, let file): InstallCommand(text: command.page, file: file).run()
        case .completion, .manual, .help, .version: PageCommand(page: page).run()
        }
    }

    /// The text that the command prints, if it does nothing else.
    private var page: String {
        switch self {
        case .completion(let shell): shell.script
        case .manual: ManualPage.text
        case .help(let subcommand): Help.page(subcommand)
        case .version: "pulse \(Version.current)\n"
        default: ""
        }
    }
}

/// A command line that cannot be parsed. One line on standard error; the exit code is 2.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
