import StreamsInspector

extension Subcommand {
    static let inspect = Subcommand(
        name: "inspect",
        operand: "[PID|PATH]",
        summary: "see every running stream of a process",
        usages: ["inspect [PID|PATH] [flags]", "inspect --list"],
        description: """
            Shows the running streams of a process as a live tree: state, elements, rate, queues and the line that built each;
            of the selected one also why nothing arrives, and what keeps it alive. A process can be inspected if it was
            started with STREAMS_INSPECT=1 or calls Inspector.start(), in a debug build or with the package's trait Inspector.
            Without PID or PATH (of its socket) it is the only such process, or the one that you choose of a list. Without a
            terminal, the tree is printed once.

            Conditions of --fail-on: leaked, suspended, nodes, chains or errors, then >, >= or =, then a number.
            leaked is the number of chains by which each line of the program has more of them after --over seconds, summed
            over the lines that have more; chains that end elsewhere are not subtracted. A condition counts all operators, also
            those that are not shown because of --limit and --skip. On a terminal, ? shows the keys.
            """,
        sections: [FlagSection(title: "Flags", flags: inspectFlags)],
        completion: .files,
        exitCodes: """
            0; 1 if the condition of --fail-on holds; 2 for a usage error, or without a terminal if there are several
            processes; 7 no such process, or none that can be inspected; 8 the answer is no snapshot; 28 no answer within ten
            seconds.
            """
    ) { .inspect(try $0.inspectOptions()) }

    private static let inspectFlags =
        [
            Flag("--list", help: "print the processes of this user that can be inspected"),
            Flag("--interval", short: "-i", value: "SECONDS", help: "time between two snapshots (1)"),
            Flag("--timeout", short: "-t", value: "SECONDS", help: "the longest time for an answer that is printed (10)"),
            Flag("--once", help: "print the tree once, and why nothing arrives where it is silent"),
            Flag("--limit", value: "COUNT", help: "show so many operators at most (5000)"),
            Flag("--skip", value: "COUNT", help: "show none of the first so many"),
            Flag("--all", help: "show the operators, too, that the package built inside those of the program"),
            Flag("--json", help: "print one snapshot as JSON"),
            Flag("--dot", help: "print the tree in the language of Graphviz"),
            Flag("--prometheus", help: "print the figures in Prometheus' text format"),
            Flag(
                "--fail-on", value: "CONDITION",
                help: "exit code 1 if the condition holds, such as 'leaked > 0'"),
            Flag("--over", value: "SECONDS", help: "the time within which leaked counts the chains that grew (5)"),
        ] + WatchFlags.ofScreens
}

extension ArgumentReader {
    fileprivate func inspectOptions() throws -> InspectOptions {
        var options = InspectOptions()
        options.target = try inspectTarget()
        options.form = try inspectForm()
        if let interval = try duration("--interval", command: "inspect") { options.interval = interval }
        if let timeout = try duration("--timeout", command: "inspect") { options.timeout = timeout }
        options.condition = try value("--fail-on").map { try FailCondition(parsing: $0) }
        if let span = try duration("--over", command: "inspect") { options.span = span }
        options.page.count = try number("--limit", upTo: Self.mostOperators, command: "inspect") ?? options.page.count
        options.page.first = try number("--skip", upTo: Self.mostOperators, command: "inspect") ?? 0
        options.isWhole = has("--all")
        options.isLight = try isLight()
        options.reportsMouse = !has("--no-mouse")
        guard options.form != .list || options.target == .only && options.condition == nil else {
            throw UsageError("pulse inspect: --list names processes: without PID, PATH and --fail-on")
        }
        guard !options.isWhole || [.screen, .text].contains(options.form) else {
            throw UsageError("pulse inspect: \(options.form.rawValue) prints all operators: without --all")
        }
        guard value("--over") == nil || options.condition != nil else {
            throw UsageError("pulse inspect: --over is that of a --fail-on")
        }
        return options
    }

    /// As many as an inspector can keep.
    private static let mostOperators = 100_000

    private func inspectTarget() throws -> InspectOptions.Target {
        guard let operand = try onlyOperand() else { return .only }
        guard !operand.isEmpty else { throw UsageError("pulse inspect: an empty argument; a PID or the path of a socket is expected") }
        guard operand.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .socket(operand) }
        guard let process = Int32(operand), process > 0 else {
            throw UsageError("pulse inspect: \(operand.quotedForMessage) is not the number of a process")
        }
        return .process(process)
    }

    private func inspectForm() throws -> InspectOptions.Form {
        let given = InspectOptions.Form.allCases.filter { has($0.rawValue) }
        guard given.count <= 1 else {
            throw UsageError("pulse inspect: either \(given.map(\.rawValue).joined(separator: " or ")), not both")
        }
        // A script uses a condition, so it gets text.
        return given.first ?? (has("--fail-on") ? .text : .screen)
    }
}

/// The options of `pulse inspect`.
struct InspectOptions: Equatable {
    var target = Target.only
    var form = Form.screen
    /// The time between two snapshots of the screen.
    var interval = Duration.seconds(1)
    /// The time that a script waits for an answer.
    var timeout = Duration.seconds(10)
    var condition: FailCondition?
    /// The operators that are shown: of more, a process would not answer in time.
    var page = InspectorProtocol.Page(count: 5_000)
    /// Whether operators are shown, too, that the package built inside those of the program.
    var isWhole = false
    /// The time between the two snapshots that `leaked` compares.
    var span = Duration.seconds(5)
    /// The theme, `light` or `dark`; `nil` asks the environment.
    var isLight: Bool?
    var reportsMouse = true

    /// The process that is shown.
    enum Target: Equatable {
        /// The only process that can be inspected.
        case only
        case process(Int32)
        /// The path of a socket.
        case socket(String)
    }

    /// The form of the output.
    enum Form: String, CaseIterable {
        case screen
        case list = "--list"
        case text = "--once"
        case json = "--json"
        case dot = "--dot"
        case prometheus = "--prometheus"
    }
}
