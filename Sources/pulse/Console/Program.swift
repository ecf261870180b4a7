import Foundation
import NetNodes

/// The frame of every command that goes on until it is told to end.
@MainActor
enum Program {
    /// Runs the main loop until it is stopped, by a command or by SIGINT, SIGTERM or SIGHUP.
    static func runUntilStopped() -> Int32 {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            MainLoop.onSignal(number) { MainLoop.stop(code: ExitCode.signal(number)) }.disposed(by: MainLoop.disposeBag)
        }
        return MainLoop.run()
    }
}
