import Foundation
import NetNodes

/// The main loop of a command that runs until it is stopped.
@MainActor
enum Program {
    /// Runs the main loop until it is stopped, by a command or by SIGINT, SIGTERM or SIGHUP; a signal that the parent process made it
    /// ignore (`nohup`, `&` in a script) stays ignored.
    ///
    /// - Parameter survivesHangUp: whether SIGHUP is handled elsewhere, as that of a program that reads its configuration again.
    static func runUntilStopped(survivesHangUp: Bool = false) -> Int32 {
        for number in [SIGINT, SIGTERM] + (survivesHangUp ? [] : [SIGHUP]) where !SignalAction(of: number).isIgnored {
            MainLoop.onSignal(number) { MainLoop.stop(code: ExitCode.signal(number)) }.disposed(by: MainLoop.disposeBag)
        }
        return MainLoop.run()
    }
}
