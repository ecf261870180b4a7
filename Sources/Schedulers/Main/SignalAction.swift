import Foundation

/// The action of a signal, as a whole: `signal(3)` would neither report nor restore its flags and mask.
///
/// Async-signal-safe. Source: [sigaction(2)](https://man7.org/linux/man-pages/man2/sigaction.2.html).
package struct SignalAction {
    package typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private var action = sigaction()

    /// Creates the default action.
    package init() {}

    /// The current action of that signal.
    package init(of number: Int32) {
        sigaction(number, nil, &action)
    }

    /// Creates an action that calls `handler` with `SA_SIGINFO` and the given flags; `isAlone` blocks all other signals while it runs.
    package init(flags: Int32 = 0, isAlone: Bool = false, _ handler: @escaping Handler) {
        action.sa_flags = SA_SIGINFO | flags
        if isAlone { sigfillset(&action.sa_mask) }
        #if canImport(Glibc)
            action.__sigaction_handler.sa_sigaction = handler
        #else
            action.__sigaction_u.__sa_sigaction = handler
        #endif
    }

    /// Installs this as the signal's action and returns the previous one.
    @discardableResult
    package func install(for number: Int32) -> SignalAction {
        var new = action
        var old = SignalAction()
        sigaction(number, &new, &old.action)
        return old
    }

    package var isDefault: Bool { address == 0 }
    package var isIgnored: Bool { address == 1 }

    /// In C, `SIG_DFL` is the pointer 0 and `SIG_IGN` is 1.
    private var address: Int {
        #if canImport(Glibc)
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #else
            unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #endif
    }
}
