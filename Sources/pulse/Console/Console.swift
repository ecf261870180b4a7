import Foundation
import NetNodes
import TerminalViews

/// Standard output and standard error as plain text.
///
/// A queue of their own writes the lines, so that a slow reader does not block the program. Lines that the reader does not take in time are
/// dropped, and a line reports how many. A failed write ends the program:
///
/// - successfully if the reader has closed the pipe, as `pulse | head` expects;
/// - as after a hangup if the terminal has disconnected;
/// - otherwise with a line on standard error and `ExitCode.outputFailure`.
@MainActor
final class Console {
    /// Whether output reaches a terminal.
    let isTerminal: Bool
    private let output: TerminalOutput
    /// Whether lines are written in ASCII, as `LANG=C` requests.
    private let isASCII = !TerminalText.isUnicode()
    private var waiting = 0
    private var leftOut = 0
    private var hasFailed = false

    init() {
        isTerminal = isatty(STDOUT_FILENO) == 1
        output = TerminalOutput(descriptor: STDOUT_FILENO)
    }

    /// Prints a line, sanitized for a terminal. A line that `isLasting` is never dropped.
    func printLine(_ line: String, isLasting: Bool = false) {
        guard isLasting || waiting < Self.mostWaiting else { return leftOut += 1 }
        let note = leftOut > 0 ? "(\(leftOut) lines dropped: they were not read in time)\n" : ""
        leftOut = 0
        let text = TerminalText.sanitized(line)
        send(note + (isASCII ? TerminalText.ascii(text) : text) + "\n")
    }

    /// Prints a line without characters that control a terminal, and returns when its reader has taken it: call it on a queue of its own.
    nonisolated func printWaiting(_ line: String) {
        let text = TerminalText.sanitizedLines(line) + "\n"
        guard let failure = output.writeWaiting(Array((isASCII ? TerminalText.ascii(text) : text).utf8)) else { return }
        DispatchQueue.main.async { [weak self] in self?.end(afterFailure: failure) }
    }

    /// Prints multiple lines, sanitized for a terminal.
    func print(_ text: String) {
        send(isTerminal ? TerminalText.sanitizedLines(text) : text)
    }

    /// Prints text that is sanitized already, or has colors of its own.
    nonisolated func print(styled text: String) {
        guard !text.isEmpty else { return }
        let piece = Lock<Data?>(Data(text.utf8))
        print(pieces: { piece.withLock { $0.take() } })
    }

    /// Returns the terminal to its own color after output that was interrupted.
    func endColors() {
        TerminalOutput(descriptor: STDOUT_FILENO).finish(with: Array("\u{1B}[m".utf8), within: .milliseconds(250))
    }

    /// Prints the pieces that `next` returns unchanged, each when the previous one has been written, until it returns `nil`.
    nonisolated func print(pieces next: @escaping @Sendable () -> Data?) {
        output.write(pieces: next) { [weak self] failure in self?.end(afterFailure: failure) }
    }

    /// Calls `done` when all output so far has been read, or its reader has closed the pipe.
    func flush(then done: @escaping @MainActor @Sendable () -> Void) {
        output.write([]) { _ in done() }
    }

    /// Prints one line on standard error. Waits at most a second for it, because there may be no reader.
    nonisolated static func printError(_ line: String) {
        TerminalOutput(descriptor: STDERR_FILENO).finish(with: Array((TerminalText.sanitized(line) + "\n").utf8), within: .seconds(1))
    }

    /// Prints a line on standard error that has colors of its own; all text from outside in it must be sanitized.
    nonisolated static func printError(styled line: String) {
        TerminalOutput(descriptor: STDERR_FILENO).finish(with: Array((line + "\n").utf8), within: .seconds(1))
    }

    /// Redirects standard output to a device or a named pipe.
    ///
    /// - Returns: the previous destination, for ``restoreOutput(to:)``.
    /// - Throws: `Download.Failure.unwritable`.
    static func redirectOutput(to device: URL) throws -> Int32 {
        let before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
        let descriptor = open(device.path, O_WRONLY | O_CLOEXEC)
        guard before >= 0, descriptor >= 0, dup2(descriptor, STDOUT_FILENO) >= 0 else {
            let reason = String(cString: strerror(errno))
            for opened in [before, descriptor] where opened >= 0 { close(opened) }
            throw Download.Failure.unwritable(path: device.path, reason: reason)
        }
        close(descriptor)
        return before
    }

    /// Restores the previous destination of standard output.
    static func restoreOutput(to before: Int32) {
        dup2(before, STDOUT_FILENO)
    }

    /// The columns of standard error; 80 if it is no terminal.
    nonisolated static var errorWidth: Int {
        var window = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return 80 }
        return Int(window.ws_col)
    }

    /// Whether the locale has characters beyond ASCII.
    nonisolated static var showsUnicode: Bool {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return locale.lowercased().replacing("-", with: "").contains("utf8")
    }

    private func send(_ text: String) {
        send(Array(text.utf8))
    }

    private func send(_ bytes: [UInt8]) {
        waiting += 1
        output.write(bytes) { [weak self] failure in
            guard let self else { return }
            waiting -= 1
            if let failure { end(afterFailure: failure) }
        }
    }

    private func end(afterFailure code: Int32) {
        guard !hasFailed else { return }
        hasFailed = true
        MainLoop.stop(code: Self.exitCode(afterFailure: code))
    }

    /// Returns the exit code and reports the failure if anybody can read it.
    private static func exitCode(afterFailure code: Int32) -> Int32 {
        if code == EPIPE { return ExitCode.success }
        if code == EIO, isCharacterDevice { return ExitCode.signal(SIGHUP) }
        printError("pulse: standard output could not be written: \(String(cString: strerror(code)))")
        return ExitCode.outputFailure
    }

    /// Whether output is a character device: after a hangup, `isatty` no longer calls it a terminal.
    private static var isCharacterDevice: Bool {
        var status = stat()
        return fstat(STDOUT_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

    private static let mostWaiting = 10_000
}

/// The parts that all commands with a main loop share.
@MainActor
enum Program {
    /// Makes SIGINT, SIGQUIT, SIGTERM and SIGHUP stop the main loop. A signal that the parent process made it ignore (`nohup`, `&` in a
    /// script) stays ignored. A command calls this before anything that it starts can be seen: a signal that answers its first output may
    /// arrive at once.
    ///
    /// - Parameter survivesHangUp: whether SIGHUP is handled elsewhere, as in a program that reads its configuration again.
    static func stopOnSignals(survivesHangUp: Bool = false) {
        for number in [SIGINT, SIGQUIT, SIGTERM] + (survivesHangUp ? [] : [SIGHUP]) where !SignalAction(of: number).isIgnored {
            MainLoop.onSignal(number) { MainLoop.stop(code: ExitCode.signal(number)) }.disposed(by: MainLoop.disposeBag)
        }
    }
}
