import Foundation

/// Sockets that have a path, as services have them for the programs of the same system.
package enum LocalSocket {
    /// Returns a new socket that started programs do not inherit; returns -1 and sets `errno` if there is none.
    package static func make() -> Int32 {
        #if os(Linux)
            PrivateDescriptors.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            PrivateDescriptors.socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    /// Gives a socket a path. Returns `false` and sets `errno` if it cannot have it: to `ENAMETOOLONG` if no socket can.
    package static func bind(_ socket: Int32, to path: String) -> Bool {
        unsafe withAddress(of: path) { unsafe Foundation.bind(socket, $0, $1) }
    }

    /// Connects a socket with the one that listens at a path. Returns `false` and sets `errno` if none does, as `bind(_:to:)` does.
    package static func connect(_ socket: Int32, to path: String) -> Bool {
        unsafe withAddress(of: path) { unsafe Foundation.connect(socket, $0, $1) }
    }

    private static func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return false
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    /// Sends as much as the other end has room for, without waiting. One that has gone is no error, and no signal.
    package static func send(_ bytes: [UInt8], to socket: Int32) {
        #if os(Linux)
            _ = unsafe Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        #else
            var on: Int32 = 1
            unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            _ = unsafe Foundation.send(socket, bytes, bytes.count, MSG_DONTWAIT)
        #endif
    }
}
