@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

/// The signals that have listeners: the previous action of each is saved and restored.
///
/// A handler records the signal's number and writes a byte into a pipe, which the main loop reads. Dispatch's own signal sources are
/// unsuitable: on Linux a signal that arrives before they are set up is lost, and their handler permanently blocks **all** signals of the
/// thread on which it ran.
enum Signals {
    private struct State {
        var listeners: [Int32: [Int: @MainActor @Sendable () -> Void]] = [:]
        var previous: [Int32: SignalAction] = [:]
        var nextKey = 0
        /// The source that reads the pipe on the main loop for the lifetime of the process.
        var outlet: (any DispatchSourceRead)?
    }

    private static let state = Lock(State())

    /// The end of the pipe to which the handler writes. A handler must not wait for a lock, so it reads this without one: it is set once,
    /// before any handler is installed (law 3 is not involved).
    nonisolated(unsafe) private static var inlet: Int32 = -1

    /// The signals that have arrived, one bit for each number less one, so that none is lost when the pipe is full.
    private static let pending = Atomic<UInt64>(0)

    static func add(_ number: Int32, _ listener: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
        let key: Int? = state.withLock { state in
            guard (1...64).contains(number), openPipe(&state) else { return nil }
            let key = state.nextKey
            state.nextKey += 1
            if state.listeners[number, default: [:]].isEmpty {
                state.previous[number] = unsafe SignalAction(flags: SA_RESTART, note).install(for: number)
            }
            state.listeners[number, default: [:]][key] = listener
            return key
        }
        guard let key else { return Disposables.create() }
        unblock(number)
        return Disposables.create { remove(key, of: number) }
    }

    static func isListening(to number: Int32) -> Bool {
        state.withLock { $0.listeners[number] != nil }
    }

    private static func remove(_ key: Int, of number: Int32) {
        // Released outside the lock: the closure captures values of the user.
        _ = state.withLock { state in
            let listener = state.listeners[number]?.removeValue(forKey: key)
            if state.listeners[number]?.isEmpty == true {
                state.listeners[number] = nil
                (state.previous.removeValue(forKey: number) ?? SignalAction()).install(for: number)
            }
            return listener
        }
    }

    /// Opens the pipe and returns whether there is one. If the system has no descriptors left there is none, and the next caller tries
    /// again.
    private static func openPipe(_ state: inout State) -> Bool {
        guard state.outlet == nil else { return true }
        guard DispatchDescriptors.open() else { return false }
        guard let ends = PrivateDescriptors.pipe() else { return false }
        for end in [ends.reading, ends.writing] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        unsafe inlet = ends.writing
        _ = pending.load(ordering: .relaxed)
        let source = DispatchSource.makeReadSource(fileDescriptor: ends.reading, queue: .main)
        source.setEventHandler { [outlet = ends.reading] in notifyPending(emptying: outlet) }
        source.activate()
        state.outlet = source
        return true
    }

    /// The handler. Only atomic operations and a write to a pipe are allowed in it.
    private static let note: SignalAction.Handler = { number, _, _ in
        let before = errno
        pending.bitwiseOr(1 << UInt64(number - 1), ordering: .sequentiallyConsistent)
        var byte: UInt8 = 0
        _ = unsafe write(inlet, &byte, 1)
        errno = before
    }

    /// Unblocks a signal: a process that was started from one of Dispatch's threads inherits a mask that blocks all signals.
    private static func unblock(_ number: Int32) {
        var numbers = sigset_t()
        unsafe sigemptyset(&numbers)
        unsafe sigaddset(&numbers, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }

    private static func notifyPending(emptying outlet: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(outlet, &bytes, bytes.count) > 0 {}
        let numbers = pending.exchange(0, ordering: .sequentiallyConsistent)
        for number in Int32(1)...64 where numbers & (1 << UInt64(number - 1)) != 0 { notify(number) }
    }

    /// Calls the listeners in the order in which they were added. A listener that is disposed meanwhile is skipped.
    private static func notify(_ number: Int32) {
        for key in state.withLock({ $0.listeners[number]?.keys.sorted() }) ?? [] {
            guard let listener = state.withLock({ $0.listeners[number]?[key] }) else { continue }
            MainScheduler.runOnMainActor(listener)
        }
    }
}

/// The complete action of a signal: `signal(3)` would neither report nor restore its flags and mask.
///
/// Async-signal-safe. Source: [sigaction(2)](https://man7.org/linux/man-pages/man2/sigaction.2.html).
package struct SignalAction {
    package typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private var action = sigaction()

    /// Creates the default action.
    package init() {}

    /// Reads the current action of that signal.
    package init(of number: Int32) {
        unsafe sigaction(number, nil, &action)
    }

    /// Creates an action that calls `handler` with `SA_SIGINFO` and the given flags; `isAlone` blocks all other signals while it runs.
    package init(flags: Int32 = 0, isAlone: Bool = false, _ handler: @escaping Handler) {
        action.sa_flags = SA_SIGINFO | flags
        if isAlone { unsafe sigfillset(&action.sa_mask) }
        #if canImport(Glibc)
            unsafe action.__sigaction_handler.sa_sigaction = unsafe handler
        #else
            action.__sigaction_u.__sa_sigaction = handler
        #endif
    }

    /// Installs this as the signal's action and returns the previous one.
    @discardableResult
    package func install(for number: Int32) -> SignalAction {
        var new = action
        var old = SignalAction()
        unsafe sigaction(number, &new, &old.action)
        return old
    }

    package var isDefault: Bool { address == 0 }
    package var isIgnored: Bool { address == 1 }

    /// The address of the handler: in C, `SIG_DFL` is the pointer 0 and `SIG_IGN` is 1.
    private var address: Int {
        #if canImport(Glibc)
            unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #else
            unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #endif
    }
}
