import Dispatch
import Foundation
import Schedulers
import Synchronization

/// Ends connections that keep a call of libcurl from returning.
///
/// libcurl reads a connection of TLS or HTTP/2 until nothing more has arrived or a transfer has progressed. If a server floods it with
/// empty frames, the loop would stop, with all its other transfers and their deadlines. One thread for all loops shuts such a connection
/// down; it sleeps while libcurl is not called, and ends with the last loop.
package final class CallWatch: Sendable {
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var loops: [WatchedCalls] = []
        var hasThread = false
    }

    private let state = Lock(State())
    private let isAsleep = Atomic(false)
    private let wakeUp = DispatchSemaphore(value: 0)

    package init() {}

    /// Watches the calls of a loop from now on. If there is no thread for it, they are not watched.
    func add(_ calls: WatchedCalls) {
        let isFirst = state.withLock { state in
            state.loops.append(calls)
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst, SystemThread.start(named: "NetNodes.Watch", { [self] in work() }) != 0 else { return }
        state.withLock { $0.hasThread = false }
    }

    func remove(_ calls: WatchedCalls) {
        state.withLock { state in state.loops.removeAll { $0 === calls } }
        wakeUp.signal()
    }

    /// Wakes the thread if it sleeps. Called when a call has begun.
    fileprivate func callDidBegin() {
        if isAsleep.load(ordering: .relaxed), isAsleep.exchange(false, ordering: .relaxed) { wakeUp.signal() }
    }

    private func work() {
        while let loops = takeLoops() {
            var isBusy = false
            for calls in loops where calls.check() { isBusy = true }
            guard !isBusy else {
                _ = wakeUp.wait(timeout: .now() + Self.interval)
                continue
            }
            // A call that begins from now on sees this, for the lock of the loop orders the two.
            isAsleep.store(true, ordering: .relaxed)
            if loops.contains(where: \.isCalling) { continue }
            wakeUp.wait()
        }
    }

    /// Returns the loops; `nil` if there is none any more, which ends the thread.
    private func takeLoops() -> [WatchedCalls]? {
        state.withLock { state in
            if state.loops.isEmpty { state.hasThread = false }
            return state.loops.isEmpty ? nil : state.loops
        }
    }
}

/// The calls of libcurl on one thread, as a ``CallWatch`` sees them.
///
/// The CPU time of the thread is measured, so that a thread which the system lets wait is not mistaken for a busy one.
final class WatchedCalls: Sendable {
    /// The longest call, in nanoseconds of CPU time: a handshake that parses all authorities takes a tenth of it.
    private static let limit: UInt64 = 500_000_000

    private struct State {
        var isEnded = false
        var calls = 0
        var isCalling = false
        /// The connection of the call, or of the previous call if it is not known yet.
        var socket: Int32 = -1
        /// The local port of the connection that was shut down.
        var endedPort: UInt16?
        /// The number of the last call that the watch has seen, and the thread's time at which it first saw it.
        var seen = (call: 0, at: UInt64(0))
    }

    private let state = Lock(State())
    private let watch: CallWatch
    private let callerTime: @Sendable () -> UInt64

    /// Creates the calls of the current thread.
    init(_ watch: CallWatch) {
        self.watch = watch
        #if os(Linux)
            var clock = clockid_t()
            pthread_getcpuclockid(pthread_self(), &clock)
            callerTime = { [clock] in
                var time = timespec()
                clock_gettime(clock, &time)
                return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
            }
        #else
            callerTime = { MonotonicTime.now }
        #endif
    }

    func start() { watch.add(self) }

    /// Ends the watch, before the thread can end.
    func end() {
        state.withLock { $0.isEnded = true }
        watch.remove(self)
    }

    /// - Parameter socket: the connection for which libcurl is called; `nil` if libcurl chooses it.
    func begin(_ socket: Int32?) {
        state.withLock { state in
            state.calls += 1
            state.isCalling = true
            if let socket { state.socket = socket }
        }
        watch.callDidBegin()
    }

    /// Names the connection of the call, once it is known.
    func didChoose(_ socket: Int32) {
        state.withLock { $0.socket = socket }
    }

    /// - Returns: the local port of the connection that was shut down because the call did not return.
    func didReturn() -> UInt16? {
        state.withLock { state in
            state.isCalling = false
            return state.endedPort.take()
        }
    }

    /// Forgets a socket that is about to be closed.
    func forget(_ socket: Int32) {
        state.withLock { if $0.socket == socket { $0.socket = -1 } }
    }

    fileprivate var isCalling: Bool { state.withLock { $0.isCalling && !$0.isEnded } }

    /// Ends the connection of a call that does not return, and returns whether there was a call since the last look.
    fileprivate func check() -> Bool {
        state.withLock { state in
            guard !state.isEnded else { return false }
            guard state.seen.call == state.calls else {
                state.seen = (state.calls, callerTime())
                return true
            }
            guard state.isCalling else { return false }
            if callerTime() - state.seen.at >= Self.limit, state.socket >= 0 {
                state.endedPort = localPort(of: state.socket)
                shutdown(state.socket, Int32(SHUT_RDWR))
                state.socket = -1
            }
            return true
        }
    }
}
