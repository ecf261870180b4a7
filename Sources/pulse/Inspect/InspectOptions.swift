/// The options of `pulse inspect`.
struct InspectOptions: Equatable {
    var target = Target.only
    var form = Form.screen
    /// The time between two snapshots of the screen.
    var interval = Duration.seconds(1)
    /// The time that a script waits for an answer.
    var timeout = Duration.seconds(10)
    var condition: FailCondition?
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
