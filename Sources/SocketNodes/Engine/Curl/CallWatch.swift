import Dispatch
import Foundation
import Schedulers

/// Ends a connection that keeps a call of libcurl from returning.
///
/// libcurl reads a connection of TLS or HTTP/2 until nothing more has arrived or a transfer has progressed. If a server floods it with
/// empty frames, the engine would stop, with all other transfers and their deadlines. A thread of its own shuts such a connection down; it
/// sleeps while libcurl is not called.
///
/// The CPU time of the engine's thread is measured, so that a thread which the system lets wait is not mistaken for a busy one.
final class CallWatch: Sendable {
    /// The longest call, in nanoseconds of CPU time: a handshake that parses all authorities takes a tenth of it.
    private static let limit: UInt64 = 500_000_000
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private struct State {
        var isStarted = false
        var isStopped = false
        var isAsleep = false
        var calls = 0
        var isCalling = false
        /// The connection of the call, or of the previous call if it is not known yet.
        var socket: Int32 = -1
        /// The local port of the connection that was shut down.
        var endedPort: UInt16?
    }

    private let state = Lock(State())
    private let wakeUp = DispatchSemaphore(value: 0)
    private let callerTime: @Sendable () -> UInt64

    /// Watches the calls of the current thread.
    init() {
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

    /// Watches from now on. If there is no thread for it, calls are not watched.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { _ = SystemThread.start(named: "NetNodes.Watch") { [self] in work() } }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.signal()
    }

    /// - Parameter socket: the connection for which libcurl is called; `nil` if libcurl chooses it.
    func begin(_ socket: Int32?) {
        let wakes = state.withLock { state in
            state.calls += 1
            state.isCalling = true
            if let socket { state.socket = socket }
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { wakeUp.signal() }
    }

    /// Names the connection of the call, once it is known.
    func didChoose(_ socket: Int32) {
        state.withLock { $0.socket = socket }
    }

    /// - Returns: the local port of the connection that was shut down because the call did not return.
    func end() -> UInt16? {
        state.withLock { state in
            state.isCalling = false
            return state.endedPort.take()
        }
    }

    /// Forgets a socket that is about to be closed.
    func forget(_ socket: Int32) {
        state.withLock { if $0.socket == socket { $0.socket = -1 } }
    }

    private func work() {
        var (call, start) = (0, UInt64(0))
        while let step = state.withLock({ step(&$0, &call, &start) }) {
            if step == .sleep { wakeUp.wait() } else { _ = wakeUp.wait(timeout: .now() + Self.interval) }
        }
    }

    private enum Step { case sleep, wait }

    /// - Parameters:
    ///   - call: the number of the last call that was seen.
    ///   - start: the caller's time at which it was first seen.
    private func step(_ state: inout State, _ call: inout Int, _ start: inout UInt64) -> Step? {
        guard !state.isStopped else { return nil }
        let isSame = state.calls == call
        if !isSame { (call, start) = (state.calls, callerTime()) }
        guard isSame else { return .wait }
        guard state.isCalling else {
            state.isAsleep = true
            return .sleep
        }
        if callerTime() - start >= Self.limit, state.socket >= 0 {
            state.endedPort = localPort(of: state.socket)
            shutdown(state.socket, Int32(SHUT_RDWR))
            state.socket = -1
        }
        return .wait
    }
}
