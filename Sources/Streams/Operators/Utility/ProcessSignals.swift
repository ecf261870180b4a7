import Schedulers

extension MainLoop {
    /// Emits the given POSIX signals when the process receives them, on the main loop; while subscribed their previous actions do not run.
    ///
    /// ```swift
    /// MainLoop.signals(SIGINT, SIGTERM).bind { signal in MainLoop.stop(code: 128 + signal) }
    /// // ------2---   2 = SIGINT
    /// ```
    ///
    /// Never terminates; the handlers are removed with the subscription.
    /// Source: [POSIX, sigaction](https://pubs.opengroup.org/onlinepubs/9699919799/functions/sigaction.html).
    public static func signals(_ signals: Int32...) -> Observable<Int32> {
        Observable { downstream, lifetime in
            for signal in signals {
                lifetime.add(
                    MainLoop.onSignal(signal) {
                        guard !lifetime.isDisposed else { return }
                        downstream.onNext(signal)
                    })
            }
        }
    }
}
