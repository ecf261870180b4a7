import Schedulers

extension MainLoop {
    /// The given signals as they come to this process, on the main loop; while somebody listens their usual effect does not happen.
    ///
    /// ```swift
    /// MainLoop.signals(SIGINT, SIGTERM).bind { signal in MainLoop.stop(code: 128 + signal) }
    /// // ------2---   2 = SIGINT
    /// ```
    ///
    /// Never ends by itself; the signals are let go with the subscription.
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
