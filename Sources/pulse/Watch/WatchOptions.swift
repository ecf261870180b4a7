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
