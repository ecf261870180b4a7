import Foundation
import NetNodes

/// The options of `pulse watch`.
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
    /// The speed of the replay, as a multiple of the recorded speed.
    var speed = 1.0
    /// The address to which the checks are published for other screens.
    var publish: SharedAddress?
    /// The address whose checks are shown in place of checks of endpoints.
    var view: SharedAddress?
    var export: URL?
    var alerts = AlertOptions()
    /// The theme, `light` or `dark`; `nil` asks the environment.
    var isLight: Bool?
    var reportsMouse = true
}

/// The reactions when an endpoint goes down or comes up again.
struct AlertOptions: Equatable, Sendable {
    var rings = false
    /// A command for the shell.
    var command: String?
    /// A file that gets a JSON line for each change.
    var file: URL?
}
