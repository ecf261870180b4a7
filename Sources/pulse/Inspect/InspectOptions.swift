/// `pulse inspect`.
struct InspectOptions: Equatable {
    var target = Target.only
    var form = Form.screen
    /// The time between two snapshots of the screen.
    var interval = Duration.seconds(1)
    /// How long a script waits for an answer.
    var timeout = Duration.seconds(10)
    var condition: FailCondition?
    /// Whether the operators are shown, too, that the package built inside those of the program.
    var isWhole = false
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
