import Foundation

/// The two ends of a pipe.
final class Pipe: Sendable {
    enum Failure: Error {
        case cannotOpen
    }

    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = Child.startingLock.withLock {
            guard pipe(&ends) == 0 else { return false }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return true
        }
        guard isOpen else { throw Failure.cannotOpen }
        (read, write) = (ends[0], ends[1])
    }

    func closeWrite() { close(write) }

    /// Whether a writer has to wait, as the system says: before `closeWrite()`.
    var isFull: Bool {
        var writable = pollfd(fd: write, events: Int16(POLLOUT), revents: 0)
        return poll(&writable, 1, 0) == 0
    }

    /// How much was written and not yet read.
    var bytesInside: Int {
        var count: Int32 = 0
        _ = ioctl(read, UInt(FIONREAD), &count)
        return Int(count)
    }
}

/// `pulse` with pipes for output and errors, as in a script.
final class PipedRun: Sendable {
    let child: Child
    let output: Reader
    let errors: Reader

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let output = try Pipe()
        let errors = try Pipe()
        child = try Child.start(arguments, environment: environment, output: output.write, errors: errors.write)
        output.closeWrite()
        errors.closeWrite()
        self.output = Reader(output.read)
        self.errors = Reader(errors.read)
    }

    /// Closes the pipe that it prints to, as `head` does when it has enough.
    func closeOutput() { output.close() }
}
