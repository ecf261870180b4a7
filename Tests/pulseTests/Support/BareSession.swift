import Foundation
import TerminalViews
import TestSupport

/// `pulse` on a pseudo-terminal whose output is not drawn, for what a ``TerminalSession`` would make too much of: any size, a terminal that
/// is hung up, one that nobody reads.
final class BareSession: Sendable {
    let terminal: PseudoTerminal
    let child: Child
    let modesBefore: [UInt32]

    init?(
        _ arguments: [String] = [], program: [String] = [PulseBinary.path], size: Size = Size(width: 80, height: 24),
        environment: [String: String] = [:], errors: Int32 = -1
    ) throws {
        guard let terminal = Child.startingLock.withLock({ PseudoTerminal(size: size) }) else { return nil }
        self.terminal = terminal
        modesBefore = terminal.modes
        // Without Swift's own report of a crash, which takes long and would ask questions on the terminal.
        let environment = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        child = try Child.start(arguments, program: program, environment: environment, errors: errors, terminal: terminal)
    }

    /// Reads what was written until that text is in it; false where it did not come.
    func read(until text: String, seconds: Double = 600) async -> Bool {
        await blocking { [terminal] in
            let deadline = ContinuousClock.now + .seconds(seconds)
            var all = [UInt8]()
            while ContinuousClock.now < deadline, let piece = Self.piece(of: terminal.person, milliseconds: 200) {
                all = all.suffix(1000) + piece
                if String(decoding: all, as: UTF8.self).contains(text) { return true }
            }
            return false
        }
    }

    /// Reads and forgets what is written until the program has ended, and tells how it ended.
    func drainUntilEnd() async -> Child.End {
        async let end = child.end()
        let isOver = Flag()
        async let drained: Void = blocking { [terminal] in
            while !isOver.isSet, Self.piece(of: terminal.person, milliseconds: 20) != nil {}
        }
        let result = await end
        isOver.set()
        await drained
        return result
    }

    /// The output that can be read now or within that time; nil at the end.
    static func piece(of descriptor: Int32, milliseconds: Int32) -> [UInt8]? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        return count >= 0 ? Array(buffer.prefix(count)) : nil
    }

    /// Writes on the terminal until it takes no more.
    /// - Returns: how many bytes it took.
    func fill() -> Int {
        let descriptor = open(terminal.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        defer { close(descriptor) }
        let filler = [UInt8](repeating: 0x2E, count: 4096)
        var taken = 0
        while true {
            let count = write(descriptor, filler, filler.count)
            taken += max(0, count)
            // The program may just be writing, which refuses others too.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard count > 0 || poll(&waiting, 1, 50) > 0 else { return taken }
        }
    }

    /// Types it all, however long that takes, while somebody else reads.
    func type(_ bytes: [UInt8]) async {
        await blocking { [terminal] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(terminal.person, $0.baseAddress, min($0.count, 4096)) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Set once, read from any thread.
final class Flag: Sendable {
    private nonisolated(unsafe) var value = false
    // Guards it: every access holds it.
    private let lock = NSLock()

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }
}

extension Child {
    /// The most memory that it has had, in megabytes; nil where the system does not tell.
    var peakMegabytes: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 / 1024 }
    }
}
