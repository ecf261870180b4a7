internal import CDescriptors
import Foundation

/// Descriptors that programs do not inherit, also those that another thread starts while they are created: one that holds the end of a pipe
/// would keep it open.
package enum PrivateDescriptors {
    /// Returns the ends of a new pipe; `nil`, and `errno`, if there is none.
    package static func pipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        errno = streams_pipe(&ends)
        return errno == 0 ? (ends[0], ends[1]) : nil
    }

    /// Returns another descriptor of the same file; -1, and `errno`, if there is none.
    package static func copy(of descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    }

    /// Returns the socket of a connection that is waiting; -1, and `errno`, if there is none.
    package static func accept(_ listener: Int32) -> Int32 {
        streams_accept(listener)
    }

    /// Returns a new socket; -1, and `errno`, if there is none.
    package static func socket(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
        #if os(Linux)
            Foundation.socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
        #else
            let socket = Foundation.socket(family, type, number)
            if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
            return socket
        #endif
    }
}
