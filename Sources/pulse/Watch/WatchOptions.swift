import Foundation
import NetNodes

/// `pulse watch`.
struct WatchOptions: Equatable {
    /// The endpoints of the command line.
    var targets: [WatchTarget] = []
    /// A file with further endpoints, which SIGHUP reads again.
    var config: URL?
    var interval = Duration.seconds(5)
    var timeout = Duration.seconds(10)
    var isOnce = false
    var isJSON = false
    var record: URL?
    var replay: URL?
    /// How many times as fast as it was a recording is replayed.
    var speed = 1.0
    /// Where other screens find the checks.
    var publish: SharedAddress?
    /// Whose checks are shown in place of those of endpoints.
    var view: SharedAddress?
    var export: URL?
    var alerts = AlertOptions()
    /// `light` or `dark`; `nil` asks the environment.
    var isLight: Bool?
    var reportsMouse = true
}

/// What happens when an endpoint goes down or comes up again.
struct AlertOptions: Equatable, Sendable {
    var rings = false
    /// A command for the shell.
    var command: String?
    /// A file that gets a JSON line for each change.
    var file: URL?
}

extension Command.Topic {
    /// The flags of `watch` beyond the usual ones.
    static let watchFlags =
        [
            Flag(
                "--config", short: "-c", value: "FILE", help: "endpoints, groups and expectations as JSON; SIGHUP reads it again",
                completion: .files),
            Flag("--record", value: "FILE", help: "append every event to a file of JSON lines", completion: .files),
            Flag("--replay", value: "FILE", help: "show a recording instead of endpoints", completion: .files),
            Flag("--speed", value: "NUMBER", help: "how many times as fast a recording is shown (1)"),
            Flag("--publish", value: "ADDRESS", help: "publish every check to nats://HOST:PORT/SUBJECT, for pulse view"),
            Flag("--export", value: "FILE", help: "write the statistics into FILE.json or FILE.csv at the end", completion: .files),
            Flag("--bell", help: "ring the terminal's bell when an endpoint goes down"),
            Flag(
                "--on-change", value: "COMMAND",
                help: "run a shell command when one goes down or comes up, with PULSE_NAME, PULSE_STATE ..."),
            Flag("--alerts", value: "FILE", help: "append each such change to a file of JSON lines", completion: .files),
        ] + screenFlags

    /// The flags of `view`.
    static let viewFlags = [Flag("--json", help: "one JSON object per line instead of text")] + screenFlags

    static let screenFlags = [
        Flag("--theme", value: "NAME", help: "light, dark, or auto: what the terminal tells (auto)"),
        Flag("--no-mouse", help: "leave the mouse to the terminal"),
    ]
}
