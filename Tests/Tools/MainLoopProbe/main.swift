import Foundation
import Streams

/// The program whose main loop the tests watch from outside: its argument says what it does, its output and exit code what happened.
let mode = CommandLine.arguments.dropFirst().first ?? ""

guard let run = Probe.modes[mode] else {
    print("modes: \(Probe.modes.keys.sorted().joined(separator: " "))")
    exit(64)
}
// The threads of a test runner block signals, and a process that they start inherits that.
var everything = sigset_t()
sigfillset(&everything)
pthread_sigmask(SIG_UNBLOCK, &everything, nil)
exit(run())
