import Foundation
import TerminalViews
import TestSupport
import Testing

/// `pulse` on a pseudo-terminal, and a person in front of it.
final class TerminalSession: Sendable {
    let terminal: PseudoTerminal
    let child: Child
    let modesBefore: [UInt32]
    // The condition guards it: every access below holds it.
    private nonisolated(unsafe) var screen: TerminalEmulator
    private let condition = NSCondition()

    init?(
        _ arguments: [String], program: [String] = [PulseBinary.path], size: Size, environment: [String: String] = [:]
    ) throws {
        guard let terminal = Child.startingLock.withLock({ PseudoTerminal(size: size) }) else { return nil }
        self.terminal = terminal
        modesBefore = terminal.modes
        screen = TerminalEmulator(size: size)
        child = try Child.start(arguments, program: program, environment: environment, terminal: terminal)
        Thread.detachNewThread { [weak self] in Self.follow(terminal) { self?.feed($0) != nil } }
    }

    /// Hands on what was drawn, until nobody takes it any more. The terminal stays open as long as this runs.
    private static func follow(_ terminal: PseudoTerminal, _ feed: ([UInt8]) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var waiting = pollfd(fd: terminal.person, events: Int16(POLLIN), revents: 0)
        while true {
            let isReadable = poll(&waiting, 1, 1000) > 0
            let count = isReadable ? read(terminal.person, &buffer, buffer.count) : 0
            guard count >= 0, feed(Array(buffer.prefix(count))) else { return }
        }
    }

    private func feed(_ bytes: [UInt8]) {
        condition.withLock {
            screen.feed(bytes)
            condition.broadcast()
        }
    }

    /// The screen that a person sees now.
    var picture: TerminalEmulator { condition.withLock { screen } }

    /// Waits until the screen looks as wanted; false where the time passed first.
    func wait(seconds: Double = 600, until isReached: @escaping @Sendable (TerminalEmulator) -> Bool) async -> Bool {
        await blocking { [self] in
            let deadline = Date(timeIntervalSinceNow: seconds)
            condition.lock()
            defer { condition.unlock() }
            while !isReached(screen) {
                if !condition.wait(until: deadline) { return isReached(screen) }
            }
            return true
        }
    }

    func type(_ text: String) {
        terminal.type(text.utf8)
    }

    /// Changes the size of the terminal; the picture begins anew.
    func resize(to size: Size) {
        condition.withLock {
            var resized = TerminalEmulator(size: size)
            if screen.isAlternateScreen { resized.feed(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h".utf8)) }
            screen = resized
        }
        terminal.resize(to: size)
    }

    /// Ends with exit code 0 when it is told to, and leaves the terminal as it was.
    func quit(sourceLocation: SourceLocation = #_sourceLocation) async {
        type("q")
        #expect(await child.end() == .exit(0), sourceLocation: sourceLocation)
        #expect(await isRestored(), sourceLocation: sourceLocation)
    }

    /// Whether the terminal is as it was: modes, screen, cursor, pastes.
    func isRestored() async -> Bool {
        await wait() { !$0.isAlternateScreen && $0.isCursorVisible && !$0.bracketsPastes } && terminal.modes == modesBefore
    }
}
