import Foundation
import TerminalViews

/// A pair of descriptors for tests of programs that draw: one is a real terminal, and the other is the person in front of it.
///
/// Source: [openpty(3)](https://man7.org/linux/man-pages/man3/openpty.3.html).
public final class PseudoTerminal: Sendable {
    /// The side of the person: bytes that you write here are typed, and bytes that you read here were drawn.
    public let person: Int32
    /// The side of the program.
    public let program: Int32
    /// The path by which a child process opens the side of the program.
    public let path: String
    private let isHungUp = Lock(false)

    /// Creates a pair; returns `nil` if the system gives none.
    public init?(size: Size) {
        var person: Int32 = -1
        var program: Int32 = -1
        var name = [CChar](repeating: 0, count: 1024)
        guard openpty(&person, &program, &name, nil, nil) == 0 else { return nil }
        for descriptor in [person, program] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        self.person = person
        self.program = program
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        resize(to: size)
    }

    deinit {
        hangUp()
        close(program)
    }

    /// Closes the person's side, as when the window of a terminal is closed. Idempotent; nobody may be reading there.
    public func hangUp() {
        let isFirst = isHungUp.withLock { isHungUp in
            defer { isHungUp = true }
            return !isHungUp
        }
        if isFirst { close(person) }
    }

    /// Sets the size of the terminal; the program in the foreground gets SIGWINCH.
    public func resize(to size: Size) {
        var window = winsize(ws_row: UInt16(clamping: size.height), ws_col: UInt16(clamping: size.width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(person, UInt(TIOCSWINSZ), &window)
    }

    /// The terminal's modes in comparable form.
    public var modes: [UInt32] {
        var modes = termios()
        guard tcgetattr(program, &modes) == 0 else { return [] }
        let controls = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag].map { UInt32(truncatingIfNeeded: $0) } + controls
    }

    public func type(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        _ = write(person, bytes, bytes.count)
    }
}
