internal import CStreamsSystem
import Foundation

/// Sockets that programs do not inherit, not even programs that another thread starts while they are created.
package enum PrivateSockets {
    /// Returns the socket of a waiting connection; returns -1 and sets `errno` if there is none.
    package static func accept(_ listener: Int32) -> Int32 {
        streams_accept(listener)
    }

    /// Returns a new socket; returns -1 and sets `errno` if there is none.
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
