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
          pulse                   a demo: a market-data service in this process, and a dashboard of it
          pulse watch URL...      monitor services: state, latency, uptime
          pulse get URL           send one request and pretty-print its JSON
          pulse download URL      write a response into a file, continuing an interrupted download
          pulse serve             run only the demo's service
          pulse help [COMMAND]    show the help of a command
          pulse --version         show the version

        Keys of the dashboard:
          up, down  select        enter  details      p  pause     r  refresh now
          s         sort          /      filter       ?  help      q  quit

        Without a terminal (in a pipe, in CI) plain lines are printed. NO_COLOR is respected.

        Exit codes: 0; 1 request failed, or an endpoint is down; 2 usage error; 3 output could not be written;
        4 too few file descriptors; 129, 130 and 143 after a closed terminal, Ctrl-C and SIGTERM.

        """

    private static func introduction(_ topic: Command.Topic) -> String {
        switch topic {
        case .watch:
            """
            Usage: pulse watch URL... [flags]

            Checks each URL periodically, through the whole node chain, and shows its state, latency and errors.
            A status below 400 counts as up. Without a terminal, one line is printed for each check.
            """
        case .get:
            """
            Usage: pulse get URL [flags]

            Sends one request through the whole node chain and prints the body as it is received; at most 64 MB are buffered.
            JSON of up to 1 MB is pretty-printed, unless that exceeds 8 MB.
            On a terminal, control characters are made visible.
            """
        case .download:
            """
            Usage: pulse download URL -o FILE [flags]
                   pulse download URL -O [flags]

            Writes the body of the response into FILE.part, and renames it to FILE when it is complete.
            A download that was interrupted is continued by the same command, if the server supports it
            and its file is still the same (ETag or Last-Modified). On a terminal, the progress is shown.
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
        case .watch: "\nExit codes: 0, or with --once 1 if an endpoint is down; 2 for a usage error."
        case .get: "\nExit codes: 0; 1 if the request fails, with a one-line reason; 2 for a usage error."
        case .download:
            """

            Exit codes: 0; 1 if the request fails; 2 for a usage error; 3 if FILE exists or cannot be written;
            130 after Ctrl-C. What fails is one line.
            """
        case .serve: "\nExit codes: 130 after Ctrl-C, 143 after SIGTERM; 1 if the port is in use."
        }
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
