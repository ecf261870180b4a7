import Foundation
import NetNodes

/// What all commands that run the main loop have in common.
@MainActor
enum Program {
    /// Makes SIGINT, SIGTERM and SIGHUP stop the main loop; a signal that the parent process made it ignore (`nohup`, `&` in a script) stays
    /// ignored. A command calls this before anything that it starts can be seen: a signal that answers its first output arrives at once.
    ///
    /// - Parameter survivesHangUp: whether SIGHUP is handled elsewhere, as that of a program that reads its configuration again.
    static func stopOnSignals(survivesHangUp: Bool = false) {
        for number in [SIGINT, SIGTERM] + (survivesHangUp ? [] : [SIGHUP]) where !SignalAction(of: number).isIgnored {
            MainLoop.onSignal(number) { MainLoop.stop(code: ExitCode.signal(number)) }.disposed(by: MainLoop.disposeBag)
        }
    }
}
