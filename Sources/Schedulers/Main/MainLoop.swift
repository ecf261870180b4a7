import CoreFoundation
import Dispatch
import Foundation
import Synchronization

/// The main loop of a program: drives `RunLoop.main`, which runs the main queue, main-actor code, timers and signals.
///
/// ```swift
/// MainLoop.onSignal(SIGTERM) { MainLoop.stop(code: 143) }.disposed(by: MainLoop.disposeBag)
/// exit(MainLoop.run())
/// ```
///
/// It uses no CPU while idle. In a program that awaits, the runtime drives the main loop instead: `exit(await MainLoop.stopped())`.
public enum MainLoop {
    private struct State {
        var stopCode: Int32?
        /// The callers that await `stop(code:)`.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let state = Lock(State())
    /// The number of descriptors that must be free: the loop opens an epoll set, eventfds and timers, and other threads open some
    /// meanwhile.
    private static let descriptorCount = 8
    private static let isPrepared = Atomic(false)
    /// The exit code of `run` without descriptors: the code of `sysexits.h` for an error of the system.
    private static let descriptorsMissing: Int32 = 71

    @MainActor private static var isRunning = false

    /// The bag that is disposed on the main loop when the loop has been stopped, before `run` and `stopped` return.
    @MainActor public private(set) static var disposeBag = DisposeBag()

    /// Runs the loop until `stop(code:)` is called or `date` is reached. Call it on the main thread only.
    ///
    /// Returns immediately if `stop` has been called before. You can run the loop again afterwards. If fewer than eight file descriptors
    /// are free at its first run, it reports that on standard error and returns 71.
    ///
    /// - Precondition: The program has not awaited anything in its `main` or at top level before: the runtime drives the main loop from
    ///   then on, and `stopped()` waits for it. No other `run` is in progress: the main queue runs nothing inside one of its own actions,
    ///   so code that wants to wait in one of them subscribes, or awaits in a task, and returns.
    /// - Returns: the exit code, 0 at `date`.
    @MainActor
    @discardableResult
    public static func run(until date: Date = .distantFuture) -> Int32 {
        guard Thread.isMainThread else {
            fatalError("MainLoop.run() was called behind an await, where the runtime runs the main loop: await MainLoop.stopped() instead")
        }
        guard !isRunning else { fatalError("MainLoop.run() was called inside MainLoop.run(): the main loop does not run inside itself") }
        guard isStopped || prepare() else {
            FileHandle.standardError.write(Data("The main loop needs \(descriptorCount) free file descriptors (see ulimit -n).\n".utf8))
            _ = finish()
            return descriptorsMissing
        }
        isRunning = true
        defer { isRunning = false }
        while !isStopped, date.timeIntervalSinceNow > 0 {
            guard RunLoop.main.run(mode: .default, before: date) else { break }
        }
        return finish()
    }

    /// Waits until `stop(code:)` is called, or the task is cancelled. Use it in place of `run` in a program that awaits.
    ///
    /// ```swift
    /// MainLoop.onSignal(SIGTERM) { MainLoop.stop(code: 143) }.disposed(by: MainLoop.disposeBag)
    /// exit(await MainLoop.stopped())
    /// ```
    ///
    /// Returns immediately if `stop` has been called before.
    ///
    /// - Returns: the exit code, 0 if the task was cancelled.
    @MainActor
    @discardableResult
    public static func stopped() async -> Int32 {
        while !isStopped, !Task.isCancelled {
            await withTaskCancellationHandler {
                await withCheckedContinuation { wait($0) }
            } onCancel: {
                resumeWaiting()
            }
        }
        return finish()
    }

    private static var isStopped: Bool { state.withLock { $0.stopCode != nil } }

    private static func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let mustWait = state.withLock { state in
            guard state.stopCode == nil, !Task.isCancelled else { return false }
            state.waiting.append(continuation)
            return true
        }
        if !mustWait { continuation.resume() }
    }

    private static func resumeWaiting() {
        let resumed = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in resumed { continuation.resume() }
    }

    @MainActor
    private static func finish() -> Int32 {
        let bag = disposeBag
        disposeBag = DisposeBag()
        bag.dispose()
        return state.withLock { $0.stopCode.take() } ?? 0
    }

    /// Returns whether the system has the descriptors that the loop opens for itself at its first use; without them it would end the
    /// process.
    private static func prepare() -> Bool {
        #if os(Linux)
            guard !isPrepared.load(ordering: .relaxed) else { return true }
            isPrepared.store(DispatchDescriptors.open() && DispatchDescriptors.areFree(descriptorCount), ordering: .relaxed)
            return isPrepared.load(ordering: .relaxed)
        #else
            true
        #endif
    }

    /// Makes the current or next `run` or `stopped` return `code`. Thread-safe. The first of several calls wins.
    public static func stop(code: Int32 = 0) {
        state.withLock { $0.stopCode = $0.stopCode ?? code }
        resumeWaiting()
        DispatchQueue.main.async { CFRunLoopStop(CFRunLoopGetMain()) }
    }

    /// Calls `handler` on the main loop each time the process receives `signal`, until the result is disposed.
    ///
    /// Meanwhile the signal's previous action does not run; it is restored when the last handler of the signal is disposed. A signal that
    /// arrives again before the loop has handled it counts once. If the system has no file descriptors left, or there is no such signal,
    /// its previous action stays.
    public static func onSignal(_ signal: Int32, handler: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
        Signals.add(signal, handler)
    }

    /// Whether that signal has a handler.
    package static func isListening(to signal: Int32) -> Bool { Signals.isListening(to: signal) }
}

/// Determines whether the caller is on the main loop.
///
/// The caller is on the main loop on the process's main thread (a comparison of thread ids, some 5 ns), and on the thread that currently
/// runs the main queue: under an async `main` and under the test runner that is another thread.
enum MainThread {
    private static let known = Atomic<UInt>(0)
    fileprivate static let queueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool {
        if let simulated = SimulatedSystem.current { return simulated.isOnMainLoop() }
        #if canImport(Darwin)
            let current = UInt(bitPattern: pthread_self())
        #else
            let current = UInt(pthread_self())
        #endif
        if known.load(ordering: .relaxed) == current { return true }
        if Thread.isMainThread {
            known.store(current, ordering: .relaxed)
            return true
        }
        return DispatchQueue.getSpecific(key: queueKey) ?? false
    }
}

extension DispatchQueue {
    /// Whether this is the main queue. On Linux each `DispatchQueue.main` is another object, so `===` cannot be used.
    package var isMain: Bool { getSpecific(key: MainThread.queueKey) ?? false }
}
