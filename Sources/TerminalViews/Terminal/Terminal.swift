import Dispatch
import Foundation

extension Screen {
    /// A device that a ``Screen`` draws on.
    @MainActor
    public protocol Device: AnyObject {
        /// The current size in cells.
        var size: Size { get }
        /// The number of colors that the device shows.
        var colorDepth: Color.Depth { get }
        /// Whether the device shows characters beyond ASCII; `true` by default. Others are replaced, see ``TerminalText/ascii(_:)``.
        var supportsUnicode: Bool { get }
        /// Whether the device draws braille; by default if it shows characters beyond ASCII.
        var drawsBraille: Bool { get }
        /// Writes bytes without blocking and reports whether they were taken; `false` means that the device is closed.
        func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Bool) -> Void)
    }
}

extension Screen.Device {
    public var supportsUnicode: Bool { true }
    public var drawsBraille: Bool { supportsUnicode }
}

/// The terminal of this process, with raw keys and the alternate screen between ``enter(reportsMouse:)`` and ``leave()``.
///
/// The terminal is restored however the process ends, including crashes.
/// Source: [termios(3)](https://man7.org/linux/man-pages/man3/termios.3.html).
@MainActor
public final class Terminal: Screen.Device {
    public let colorDepth: Color.Depth
    public let supportsUnicode: Bool
    public let drawsBraille: Bool
    /// The descriptor from which keys are read.
    public let input: Int32
    private let outputDescriptor: Int32
    private let output: TerminalOutput
    /// Whether the terminal is between ``enter(reportsMouse:)`` and ``leave()``.
    private(set) var isEntered = false
    private var reportsMouse = false
    /// The screen that draws on the terminal, so that nobody else has to retain it.
    var screen: Screen?

    /// Creates a terminal; returns `nil` if output or input is not a terminal, or if `TERM` says that it supports no control sequences.
    public init?(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        guard Self.isTerminal(input, environment), Self.isTerminal(output, environment) else { return nil }
        self.input = input
        outputDescriptor = output
        self.output = TerminalOutput(descriptor: output)
        colorDepth = Color.Depth(environment: environment)
        supportsUnicode = TerminalText.isUnicode(environment)
        drawsBraille = TerminalText.hasBraille(environment)
    }

    /// Returns whether control sequences are supported on that descriptor.
    public static nonisolated func isTerminal(
        _ descriptor: Int32, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Bool {
        guard isatty(descriptor) == 1 else { return false }
        return !["", "dumb"].contains(environment["TERM", default: ""])
    }

    /// The size known to the kernel; 80x24 if unknown.
    public var size: Size {
        var window = winsize()
        guard ioctl(outputDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return Size(width: 80, height: 24)
        }
        return Size(width: Int(window.ws_col), height: Int(window.ws_row))
    }

    /// Sets up the terminal: raw mode, alternate screen, no cursor, no line wrapping, bracketed paste.
    ///
    /// - Parameter reportsMouse: whether clicks and the wheel are keys. The terminal's own selection of text then needs the shift key.
    /// - Returns: `false` if the modes could not be set.
    @discardableResult
    public func enter(reportsMouse: Bool = false) -> Bool {
        self.reportsMouse = reportsMouse
        guard !isEntered, TerminalModes.makeRaw(input: input, output: outputDescriptor) else { return isEntered }
        isEntered = true
        output.write(enterSequence) { _ in }
        return true
    }

    /// Restores the terminal. Waits a quarter of a second for pending output, and longer only while the terminal takes output. Idempotent.
    public func leave() {
        guard isEntered else { return }
        isEntered = false
        output.finish(with: TerminalModes.leaveSequence, within: .milliseconds(250))
        TerminalModes.restoreModes()
    }

    /// Suspends the process as Ctrl-Z does, with the terminal restored meanwhile; returns when the shell continues it.
    ///
    /// Returns immediately if no shell could continue it.
    public func suspend() {
        leave()
        let listening = SignalAction().install(for: SIGTSTP)
        raise(SIGTSTP)
        listening.install(for: SIGTSTP)
        enter(reportsMouse: reportsMouse)
    }

    /// Sets up the terminal again after the process was suspended in another way than by ``suspend()``, such as by `kill -STOP`.
    public func resume() {
        guard isEntered else { return }
        TerminalModes.makeRawAgain()
        output.write(enterSequence) { _ in }
    }

    private var enterSequence: [UInt8] { TerminalModes.enterSequence + (reportsMouse ? TerminalModes.mouseSequence : []) }

    public func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Bool) -> Void) {
        output.write(bytes) { done($0 == nil) }
    }
}
