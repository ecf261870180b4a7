/// The pages that `pulse help` prints.
enum Help {
    static func page(_ topic: Command.Topic?) -> String {
        guard let topic else { return overview }
        let flags = topic.flags + [.help]
        let width = flags.map(\.usage.count).max() ?? 0
        let lines = flags.map { "  \($0.usage.padding(to: width))  \($0.help)" }
        return ([introduction(topic), "", "Flags:"] + lines + [closing(topic)]).joined(separator: "\n") + "\n"
    }

    private static let overview = """
        pulse: a live dashboard for HTTP services in the terminal.

        Usage:
          pulse                   a demo: a market-data service in this process, and the dashboard on it
          pulse watch URL...      watch services: state, latency, uptime
          pulse get URL           one request, its JSON printed for reading
          pulse serve             the demo's service by itself
          pulse help [COMMAND]    the page of a command
          pulse --version         the version

        Keys of the dashboard:
          up, down  select        enter  details      p  pause     r  refresh now
          s         sort          /      filter       ?  help      q  quit

        Without a terminal (in a pipe, in CI) plain lines are printed. NO_COLOR is respected.

        Exit codes: 0; 1 no good answer, or an endpoint is down; 2 the command line makes no sense; 3 output could not be written;
        4 too few file descriptors; 129, 130 and 143 after a closed terminal, Ctrl-C and SIGTERM.

        """

    private static func introduction(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch:
            """
            Usage: pulse watch URL... [flags]

            Asks each URL again and again, through the whole node chain, and shows what is up, how fast, and what broke.
            A status below 400 counts as up. Without a terminal, one line is printed for each check.
            """
        case .get:
            """
            Usage: pulse get URL [flags]

            Sends one request through the whole node chain and prints the body as it comes, 64 MB at most.
            JSON of up to 1 MB is indented for reading, if that makes no more than 8 MB of it.
            On a terminal, escape codes become visible signs.
            """
        case .serve:
            """
            Usage: pulse serve [flags]

            Runs the demo's market-data service on 127.0.0.1 until it is interrupted.
            """
        }
    }

    private static func closing(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch: "\nExit codes: 0, or with --once 1 if an endpoint is down; 2 for a command line that makes no sense."
        case .get: "\nExit codes: 0; 1 if there is no good answer, with one line that says why; 2 for a command line that makes no sense."
        case .serve: "\nExit codes: 130 after Ctrl-C, 143 after SIGTERM; 1 if the port is taken."
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
