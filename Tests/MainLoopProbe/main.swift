import Foundation
import Streams

/// The program whose main loop the tests watch from outside: its argument says what it does, its output and exit code what happened.
let mode = CommandLine.arguments.dropFirst().first ?? ""

let modes = Array(Probe.modes.keys) + Array(Probe.awaitingModes.keys)
guard modes.contains(mode) else {
    print("modes: \(modes.sorted().joined(separator: " "))")
    exit(64)
}
// The threads of a test runner block signals, and a process that they start inherits that.
var everything = sigset_t()
sigfillset(&everything)
pthread_sigmask(SIG_UNBLOCK, &everything, nil)
if let run = Probe.modes[mode] { exit(run()) }
// As the runtime does for a program whose main awaits.
Task {
    if let run = Probe.awaitingModes[mode] { exit(await run()) }
}
dispatchMain()
