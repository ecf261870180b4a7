internal import CSystem
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
}
