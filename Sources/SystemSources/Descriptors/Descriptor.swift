import Foundation
import Schedulers

/// An open file descriptor, which is closed when it is released.
final class Descriptor: Sendable {
    let number: Int32
    private let mark = Resources.Mark("Descriptor")

    init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file without waiting, neither for the writer of a named pipe nor for a terminal.
    init(opening path: String) throws(SystemSourceError) {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { throw SystemSourceError("open", path: path) }
    }

    deinit { close(number) }

    /// Makes reads and writes return instead of waiting.
    func setNonBlocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    func status(of path: String) throws(SystemSourceError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemSourceError("fstat", path: path) }
        return status
    }

    /// The result of a read.
    enum Reading: Equatable {
        case bytes(Int)
        /// Nothing is available yet.
        case nothing
        case end
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, path: String? = nil) throws(SystemSourceError) -> Reading {
        try Self.read(number, into: buffer, path: path)
    }

    static func read(_ number: Int32, into buffer: UnsafeMutableRawBufferPointer, path: String?) throws(SystemSourceError) -> Reading {
        while true {
            let count = Foundation.read(number, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: throw SystemSourceError("read", path: path)
            }
        }
    }

    /// Creates a socket that can have a path, and that started programs do not inherit.
    static func localSocket() throws(SystemSourceError) -> Descriptor {
        let number = LocalSocket.make()
        guard number >= 0 else { throw SystemSourceError("socket") }
        return Descriptor(owning: number)
    }

    /// Creates a pipe that started programs do not inherit.
    static func pipe() throws(SystemSourceError) -> (read: Descriptor, write: Descriptor) {
        guard let ends = PrivateDescriptors.pipe() else { throw SystemSourceError("pipe") }
        return (Descriptor(owning: ends.reading), Descriptor(owning: ends.writing))
    }
}
