internal import CStreamsSystem
import Foundation

/// Sockets that programs do not inherit, also those that another thread starts while they are created.
package enum PrivateSockets {
    /// Returns the socket of a connection that is waiting; -1, and `errno`, if there is none.
    package static func accept(_ listener: Int32) -> Int32 {
        streams_accept(listener)
    }

    /// Returns a new socket; -1, and `errno`, if there is none.
    package static func make(_ family: Int32, _ type: Int32, _ number: Int32) -> Int32 {
        #if os(Linux)
            socket(family, type | Int32(SOCK_CLOEXEC.rawValue), number)
        #else
            let descriptor = socket(family, type, number)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        #endif
    }
}
