/// `pulse inspect`.
struct InspectOptions: Equatable {
    var target = Target.only
    var form = Form.screen
    /// The time between two snapshots of the screen.
    var interval = Duration.seconds(1)
    /// How long a script waits for an answer.
    var timeout = Duration.seconds(10)
    var condition: FailCondition?
    /// The time between the two snapshots that `leaked` compares.
    var span = Duration.seconds(5)
    /// `light` or `dark`; `nil` asks the environment.
    var isLight: Bool?
    var reportsMouse = true

    /// Which process is shown.
    enum Target: Equatable {
        /// The only one that can be inspected.
        case only
        case process(Int32)
        /// The path of a socket.
        case socket(String)
    }

    /// What is printed or shown.
    enum Form: String, CaseIterable {
        case screen
        case list = "--list"
        case text = "--once"
        case json = "--json"
        case dot = "--dot"
        case prometheus = "--prometheus"
    }
}

extension Command.Topic {
    /// The flags of `inspect`.
    static let inspectFlags =
        [
            Flag("--list", help: "print the processes of this user that can be inspected"),
            Flag("--interval", short: "-i", value: "SECONDS", help: "time between two snapshots (1)"),
            Flag("--timeout", short: "-t", value: "SECONDS", help: "the longest time for an answer that is printed (10)"),
            Flag("--once", help: "print the tree once, and why nothing arrives where it is silent"),
            Flag("--json", help: "print one snapshot as JSON"),
            Flag("--dot", help: "print the tree in the language of Graphviz"),
            Flag("--prometheus", help: "print the figures in Prometheus' text format"),
            Flag(
                "--fail-on", value: "CONDITION",
                help: "exit code 1 if the condition holds, such as 'leaked > 0'"),
            Flag("--over", value: "SECONDS", help: "the time within which leaked counts the chains that grew (5)"),
        ] + screenFlags
}
