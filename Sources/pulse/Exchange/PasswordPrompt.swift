import Foundation

/// Asks on the terminal for an input that must not be shown.
enum PasswordPrompt {
    /// Asks, and returns the typed line, which the terminal does not echo.
    ///
    /// Signals are held back meanwhile and take effect after the terminal's modes were restored. There is still only one thread, so that no
    /// other can receive them.
    ///
    /// - Throws: `UsageError` without a terminal; `CancellationError` after Ctrl-C or the end of the input.
    static func ask(_ question: String) throws -> String {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        var before = termios()
        guard terminal >= 0, tcgetattr(terminal, &before) == 0 else {
            throw UsageError("pulse: there is no terminal to ask for the password on: use -u NAME:PASSWORD")
        }
        defer { close(terminal) }
        var signals = sigset_t()
        var unblocked = sigset_t()
        sigfillset(&signals)
        sigprocmask(SIG_BLOCK, &signals, &unblocked)
        defer { sigprocmask(SIG_SETMASK, &unblocked, nil) }
        defer { tcsetattr(terminal, TCSAFLUSH, &before) }
        while true {
            enterSilently(terminal, before, question)
            if let line = try readLine(terminal) { return line }
            // A signal is pending: it terminates the process here, or stops it until it is continued.
            tcsetattr(terminal, TCSAFLUSH, &before)
            sigprocmask(SIG_SETMASK, &unblocked, nil)
            sigprocmask(SIG_BLOCK, &signals, nil)
        }
    }

    private static func enterSilently(_ terminal: Int32, _ modes: termios, _ question: String) {
        var silent = modes
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(terminal, TCSAFLUSH, &silent)
        write(question, to: terminal)
    }

    /// Returns the line; `nil` if a signal is to be handled first.
    private static func readLine(_ terminal: Int32) throws -> String? {
        var line: [UInt8] = []
        var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        while true {
            guard !isSignalPending else { return nil }
            guard poll(&waiting, 1, 50) > 0 else { continue }
            var byte: UInt8 = 0
            guard read(terminal, &byte, 1) == 1 else { throw CancellationError() }
            switch byte {
            case 0x0A, 0x0D:
                write("\n", to: terminal)
                return String(decoding: line, as: UTF8.self)
            case 0x03, 0x04:
                write("\n", to: terminal)
                throw CancellationError()
            case 0x08, 0x7F: removeCharacter(of: &line)
            case 0x15: line = []
            case 0x00..<0x20: break
            default: if line.count < longest { line.append(byte) }
            }
        }
    }

    private static func removeCharacter(of line: inout [UInt8]) {
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
    }

    private static var isSignalPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGALRM, SIGUSR1, SIGUSR2].contains { sigismember(&pending, $0) == 1 }
    }

    private static func write(_ text: String, to terminal: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static let longest = 4096
}
