@unsafe @preconcurrency import Dispatch
import Foundation
import Synchronization

/// The signals that have listeners: the previous action of each is saved and restored.
///
/// A handler records the signal's number and wakes the main loop. Dispatch's own signal sources are
/// unsuitable: on Linux a signal that arrives before they are set up is lost, and their handler permanently blocks **all** signals of the
/// thread on which it ran.
enum Signals {
    private struct State {
        var listeners: [Int32: [Int: @MainActor @Sendable () -> Void]] = [:]
        var previous: [Int32: SignalAction] = [:]
        var nextKey = 0
        /// The source by which the main loop is woken, for the lifetime of the process.
        var alarm: (any DispatchSourceRead)?
    }

    private static let state = Lock(State())

    /// The inlet of the waker. A handler must not wait for a lock, so it reads this without one: it is set once, before any handler is
    /// installed (law 3 is not involved).
    nonisolated(unsafe) private static var inlet: Int32 = -1

    /// The signals that have arrived, one bit for each number less one.
    private static let pending = Atomic<UInt64>(0)

    static func add(_ number: Int32, _ listener: @escaping @MainActor @Sendable () -> Void) -> any Disposable {
        let key: Int? = state.withLock { state in
            guard (1...64).contains(number), prepare(&state) else { return nil }
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

    /// Creates the waker and returns whether there is one. If the system has no descriptors left there is none, and the next caller tries
    /// again.
    private static func prepare(_ state: inout State) -> Bool {
        guard state.alarm == nil else { return true }
        guard DispatchDescriptors.open() else { return false }
        guard let waker = Waker() else { return false }
        unsafe inlet = waker.inlet
        _ = pending.load(ordering: .relaxed)
        let source = DispatchSource.makeReadSource(fileDescriptor: waker.outlet, queue: .main)
        source.setEventHandler { notifyPending(clearing: waker) }
        source.activate()
        state.alarm = source
        return true
    }

    /// The handler. Only atomic operations and a write are allowed in it.
    private static let note: SignalAction.Handler = { number, _, _ in
        let before = errno
        pending.bitwiseOr(1 << UInt64(number - 1), ordering: .sequentiallyConsistent)
        unsafe Waker.wake(by: inlet)
        errno = before
    }

    /// Unblocks a signal: a process that was started from one of Dispatch's threads inherits a mask that blocks all signals.
    private static func unblock(_ number: Int32) {
        var numbers = sigset_t()
        unsafe sigemptyset(&numbers)
        unsafe sigaddset(&numbers, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &numbers, nil)
    }

    private static func notifyPending(clearing waker: Waker) {
        waker.clear()
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
