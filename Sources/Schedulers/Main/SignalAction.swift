import Foundation

/// What the process does with a signal: the handler with all that belongs to it, which `signal(3)` would not tell nor put back.
///
/// Safe inside of a signal handler. Source: [sigaction(2)](https://man7.org/linux/man-pages/man2/sigaction.2.html).
package struct SignalAction {
    package typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    private var action = sigaction()

    /// The default action.
    package init() {}

    /// What happens with that signal now.
    package init(of number: Int32) {
        sigaction(number, nil, &action)
    }

    /// Calls `handler`, with the given flags besides `SA_SIGINFO`, and with all other signals blocked meanwhile where `isAlone`.
    package init(flags: Int32 = 0, isAlone: Bool = false, _ handler: @escaping Handler) {
        action.sa_flags = SA_SIGINFO | flags
        if isAlone { sigfillset(&action.sa_mask) }
        #if canImport(Glibc)
            action.__sigaction_handler.sa_sigaction = handler
        #else
            action.__sigaction_u.__sa_sigaction = handler
        #endif
    }

    /// Makes it what happens with that signal, and gives what happened before.
    @discardableResult
    package func install(for number: Int32) -> SignalAction {
        var new = action
        var old = SignalAction()
        sigaction(number, &new, &old.action)
        return old
    }

    package var isDefault: Bool { address == 0 }
    package var isIgnored: Bool { address == 1 }

    /// `SIG_DFL` is the pointer 0 in C, `SIG_IGN` 1.
    private var address: Int {
        #if canImport(Glibc)
            unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #else
            unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #endif
    }
}
