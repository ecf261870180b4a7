import Dispatch
import Foundation

/// What a ``Screen`` draws on.
@MainActor
public protocol ScreenDevice: AnyObject {
    /// The extent in cells, as it is now.
    var size: Size { get }
    var colorDepth: ColorDepth { get }
    /// Sends bytes and tells whether they were taken; false is the end of the device. Never waits.
    func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Bool) -> Void)
}

/// The terminal of this process, borrowed: raw keys and the alternate screen between ``enter()`` and ``leave()``.
///
/// Whatever ends the process, also a crash, gives the terminal back as it was.
/// Source: [termios(3)](https://man7.org/linux/man-pages/man3/termios.3.html).
@MainActor
public final class Terminal: ScreenDevice {
    public let colorDepth: ColorDepth
    /// Where keys come from.
    public let input: Int32
    private let outputDescriptor: Int32
    private let output: TerminalOutput
    public private(set) var isEntered = false

    /// Nil where there is no terminal to draw on: output or input is none, or `TERM` says that it understands no codes.
    public init?(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard Self.isTerminal(input, environment), Self.isTerminal(output, environment) else { return nil }
        self.input = input
        outputDescriptor = output
        self.output = TerminalOutput(descriptor: output)
        colorDepth = ColorDepth(environment: environment)
    }

    /// Whether escape codes make sense on that descriptor.
    public static nonisolated func isTerminal(
        _ descriptor: Int32, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        return !["", "dumb"].contains(environment["TERM", default: ""])
    }

    /// As the kernel knows it; 80x24 where it does not.
    public var size: Size {
        var window = winsize()
        guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(window.ws_col), height: Int(window.ws_row))
    }

    /// Takes the terminal: raw mode, alternate screen, no cursor, no wrapping at the edge, pastes between brackets.
    /// - Returns: false where the modes could not be set.
    @discardableResult
    public func enter() -> Bool {
        guard !isEntered, TerminalModes.makeRaw(input: input, output: outputDescriptor) else { return isEntered }
        isEntered = true
        output.write(TerminalModes.enterSequence) { _ in }
        return true
    }

    /// Gives the terminal back as it was. Waits for output that is on its way, at most a quarter of a second. Idempotent.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        output.finish(with: TerminalModes.leaveSequence, within: .milliseconds(250))
        TerminalModes.restoreModes()
    }

    /// Stops the process as Ctrl-Z does, with the terminal given back meanwhile; returns when the shell continues it.
    ///
    /// Returns at once where no shell is there that could continue it.
    public func suspend() {
        leave()
        let listening = SignalAction().install(for: SIGTSTP)
        raise(SIGTSTP)
        listening.install(for: SIGTSTP)
        enter()
    }

    /// Takes the terminal again after the process was stopped by something else than ``suspend()``, such as `kill -STOP`.
    public func resume() {
        guard isEntered else { return }
        TerminalModes.makeRawAgain()
        output.write(TerminalModes.enterSequence) { _ in }
    }

    public func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Bool) -> Void) {
        output.write(bytes) { done($0 == nil) }
    }
}
