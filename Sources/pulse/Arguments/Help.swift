import NetNodes
import StreamsInspector

/// The pages that `pulse help` prints.
enum Help {
    static func page(_ topic: Command.Topic?) -> String {
        guard let topic else { return overview }
        let sections = topic.sections.isEmpty ? [FlagSection(title: "Flags", flags: [])] : topic.sections
        let width = topic.completedFlags.map(\.usage.count).max() ?? 0
        var lines = [introduction(topic)]
        for section in sections {
            let flags = section.flags + (section == sections.last ? [.help] : [])
            lines += ["", "\(section.title):"] + flags.map { "  \($0.usage.padding(to: width))  \($0.help)" }
        }
        return (lines + [closing(topic)]).joined(separator: "\n") + "\n"
    }

    private static let overview = """
        pulse: a live dashboard for HTTP services in the terminal.

        Usage:
          pulse                   a demo: a market-data service in this process, and a dashboard of it
        \(Command.Topic.allCases.map { "  \("pulse \($0.rawValue) \(operand($0))".padding(to: 22))  \($0.summary)" }.joined(separator: "\n"))
          pulse help [COMMAND]    show the help of a command
          pulse --version         show the version

        Keys of the dashboard:
          up, down  select        enter  details      space  pause      r  refresh now
          s         sort          /      filter       ?      every key  q  quit

        Without a terminal (in a pipe, in CI) plain lines are printed. NO_COLOR is respected.

        Exit codes (those from 5 to 77 are curl's for the same fault):
        \(ExitCode.meanings.map { "  \($0.codes.padding(to: 14))  \($0.meaning)" }.joined(separator: "\n"))

        """

    private static func operand(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch: "URL..."
        case .view: "ADDRESS"
        case .inspect: "[PID|PATH]"
        case .get, .download: "URL"
        case .serve: ""
        case .completion: "SHELL"
        }
    }

    private static func introduction(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch:
            """
            Usage: pulse watch [NAME=]URL... [flags]
                   pulse watch --config FILE [URL...] [flags]
                   pulse watch --replay FILE [--speed N]
                   pulse watch URL... --publish nats://HOST:PORT/SUBJECT

            Checks each URL periodically, through the whole node chain, and shows its state, latency and errors.
            A status below 400 counts as up, unless the configuration expects something else.
            Without a terminal, one line is printed for each check. On a terminal, ? shows the keys.
            """
        case .view:
            """
            Usage: pulse view nats://HOST:PORT/SUBJECT [flags]

            Shows the checks that another pulse publishes: pulse watch URL... --publish nats://HOST:PORT/SUBJECT
            Between them is a NATS server that stores the last checks: nats-server -js
            Any number of screens, on other machines too, and one that starts late shows the last minutes at once.
            """
        case .inspect:
            """
            Usage: pulse inspect [PID|PATH] [flags]
                   pulse inspect --list

            Shows the running streams of a process as a live tree: state, elements, rate, queues and the line that built each;
            of the selected one also why nothing arrives, and what keeps it alive. A process can be inspected if it was
            started with STREAMS_INSPECT=1 or calls Inspector.start(), in a debug build or with the package's trait Inspector.
            Without PID or PATH (of its socket) it is the only such process. Without a terminal, the tree is printed once.

            Conditions of --fail-on: leaked, suspended, nodes, chains or errors, then >, >= or =, then a number.
            leaked is the number of chains by which each line of the program has more of them after --over seconds, summed
            over the lines that have more; chains that end elsewhere are not subtracted. On a terminal, ? shows the keys.
            """
        case .get:
            """
            Usage: pulse get URL [flags]

            Sends one request and prints the body of the response while it is received, whatever its status; of a failure also
            one line on standard error. On a terminal JSON is laid out and colored, the declared charset is decoded, and control
            characters are made visible; into a pipe go the bytes as received.

            Examples:
              pulse get api.example.com/users -u admin             ask for the password
              pulse get api.example.com/users --json name=Ada --json admin:=true
              pulse get example.com/upload -F photo=@a.jpg -F title=Holidays
              pulse get example.com/disk.img -O                    a file, continued after an interruption
              pulse get example.com --timing > /dev/null           where the time goes
            """
        case .download:
            """
            Usage: pulse download URL -o FILE [flags]
                   pulse download URL -O [flags]

            Writes the body of the response into FILE.part, and renames it to FILE when it is complete.
            A download that was interrupted is continued by the same command, if the server supports it
            and its file is still the same (ETag or Last-Modified). On a terminal, the progress is shown.
            A device or a named pipe as FILE takes the bytes as they come. pulse get with -o or -O does the same.
            """
        case .serve:
            """
            Usage: pulse serve [flags]

            Runs the demo's market-data service on 127.0.0.1 until it is interrupted.
            """
        case .completion:
            """
            Usage: pulse completion SHELL

            Prints the completion script of a shell: bash, zsh or fish.

              bash  source <(pulse completion bash)
              zsh   pulse completion zsh > "${fpath[1]}/_pulse"
              fish  pulse completion fish > ~/.config/fish/completions/pulse.fish
            """
        }
    }

    private static func closing(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch:
            """

            Exit codes: 0, or with --once 1 if an endpoint is down; 2 for a usage error or a faulty configuration;
            3 if a file can no longer be written.
            """
        case .view: "\nExit codes: 0; 2 for a usage error. A server that cannot be reached is a line on the screen, and is tried again."
        case .inspect:
            """

            Exit codes: 0; 1 if the condition of --fail-on holds; 2 for a usage error, or if several processes can be inspected;
            7 no such process, or none that can be inspected; 8 the answer is no snapshot; 28 no answer within ten seconds.
            """
        case .get, .download:
            """

            Exit codes: 0; 2 usage; 3 output; 6 host not found; 7 no connection; 22 status 4xx; 24 status 5xx; 28 timeout;
            56 connection lost; 60 no secure connection; 130 after Ctrl-C. See pulse help for all.
            """
        case .serve: "\nExit codes: 130 after Ctrl-C, 143 after SIGTERM; 1 if the port is in use."
        case .completion: "\nExit codes: 0; 2 for a usage error."
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

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

/// The version of the program, which is that of the package.
enum Version {
    static let current = "0.1.0"
}
