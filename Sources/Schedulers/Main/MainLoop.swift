import CoreFoundation
import Dispatch
import Foundation

/// The main loop of a program: drives `RunLoop.main`, in which the main queue, main-actor code, timers and signals all run.
///
/// ```swift
/// MainLoop.onSignal(SIGTERM) { MainLoop.stop(code: 143) }.disposed(by: MainLoop.disposeBag)
/// exit(MainLoop.run())
/// ```
///
/// Idle, it uses no CPU. A service with an async `main` needs none of it.
public enum MainLoop {
    private static let stopCode = Lock<Int32?>(nil)

    /// Disposed when the loop has been stopped, on the main loop, before `run` returns.
    @MainActor public private(set) static var disposeBag = DisposeBag()

    /// Runs the loop until `stop(code:)` is called or `date` is reached, and gives the code, 0 at `date`. Main thread only.
    ///
    /// A `stop` that was called before makes it return at once. It can be run again afterwards.
    @MainActor
    @discardableResult
    public static func run(until date: Date = .distantFuture) -> Int32 {
        while stopCode.withLock({ $0 }) == nil, date.timeIntervalSinceNow > 0 {
            guard RunLoop.main.run(mode: .default, before: date) else { break }
        }
        let bag = disposeBag
        disposeBag = DisposeBag()
        bag.dispose()
        return stopCode.withLock { $0.take() } ?? 0
    }

    /// Makes the running or next `run` return `code`. Any thread. The first of several calls decides.
    public static func stop(code: Int32 = 0) {
        stopCode.withLock { $0 = $0 ?? code }
        DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetMain()) }
    }

    /// Calls `handler` on the main loop each time the process gets `signal`, until the result is disposed.
    ///
    /// Meanwhile the signal's usual effect does not happen; it is back when the last handler of the signal is disposed. A signal that comes
    /// again before the loop had time for it counts once. Where the system has no file descriptors left, or there is no such signal, its
    /// usual effect stays.
    public static func onSignal(_ signal: Int32, handler: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
        Signals.add(signal, handler)
    }

    /// Whether a handler of that signal is there.
    package static func isListening(to signal: Int32) -> Bool { Signals.isListening(to: signal) }
}
