package import CLibcurl
import Foundation
import Schedulers
internal import Sockets

/// The sockets of an engine, and the descriptor that wakes its thread. It is confined to that thread.
package final class CurlSockets {
    private struct Watch {
        /// The interest registered with the system.
        var known = SocketSet.Interest(rawValue: 0)
        var wanted = SocketSet.Interest(rawValue: 0)
        /// Whether the connection carries one request at a time, so that no input is expected between requests.
        var isExclusive: Bool
        /// The local port, 0 for a Unix socket; `nil` until the connection first becomes idle.
        var port: UInt16?
        /// The number of requests since the connection first became idle.
        var reuses = 0
    }

    private let set: SocketSet
    /// The sockets of connections, which are reported when they are made. libcurl uses further sockets for name resolution.
    @exclusivity(unchecked) private var connections: [Int32: Watch] = [:]
    /// The connections that have been idle at least once, by local port: libcurl reports only this about the connection that a request will
    /// use. There is nearly always one for each port; all Unix sockets have the port 0.
    @exclusivity(unchecked) private var reusable: [UInt16: [Int32]] = [:]
    @exclusivity(unchecked) private var changed: [Int32] = []
    /// Wakes the thread.
    let waker: Waker

    /// Creates the set; returns `nil` if the process has no file descriptor left.
    init?() {
        guard let waker = Waker(), let set = SocketSet(wokenBy: waker) else { return nil }
        self.set = set
        self.waker = waker
    }

    deinit { SocketSet.close(set.descriptor) }

    /// Creates a socket for a connection. An earlier socket with its number has been closed, and removed by the system.
    ///
    /// - Parameter isExclusive: whether the connection is known to carry one request at a time.
    package func open(_ address: curl_sockaddr, isExclusive: Bool) -> Int32 {
        let socket = PrivateDescriptors.socket(address.family, address.socktype, address.protocol)
        if socket >= 0 { connections[socket] = Watch(isExclusive: isExclusive) }
        return socket
    }

    /// Returns whether a socket carries a connection, whose end is reported: libcurl closes those of name resolution by itself.
    func isConnection(_ socket: Int32) -> Bool { connections[socket] != nil }

    /// Removes a socket that is about to be closed: its number may be reused by anything in the process.
    func forget(_ socket: Int32) {
        guard let port = connections.removeValue(forKey: socket)?.port else { return }
        reusable[port]?.removeAll { $0 == socket }
        if reusable[port]?.isEmpty == true { reusable[port] = nil }
    }

    /// Removes a socket immediately, since a copy of its descriptor remains open and the system would continue to report it after the
    /// close.
    func release(_ socket: Int32) {
        set.watch(socket, for: SocketSet.Interest(rawValue: 0))
        forget(socket)
    }

    /// Sets the interest from the next `wait` on. If a connection becomes idle and is reused meanwhile, as in consecutive requests, this
    /// costs nothing.
    func watch(_ socket: Int32, for interest: SocketSet.Interest) {
        guard let index = connections.index(forKey: socket) else { return set.watch(socket, for: interest) }
        connections.values[index].wanted = interest
        if interest.isEmpty, connections.values[index].port == nil {
            let port = localPort(of: socket)
            connections.values[index].port = port
            reusable[port, default: []].append(socket)
        }
        changed.append(socket)
    }

    /// Returns a connection that has been idle, by its local port; `nil` for a Unix socket, of which there may be several.
    func reusableSocket(atPort port: UInt16) -> Int32? { port == 0 ? nil : reusable[port]?.first }

    /// Counts a request on a connection, by its local port, and returns the number of its requests.
    package func countRequest(atPort port: UInt16) -> Int {
        guard let socket = reusableSocket(atPort: port) else { return 1 }
        connections[socket]?.reuses += 1
        return 1 + (connections[socket]?.reuses ?? 0)
    }

    /// Declares that no input is expected on the connection between requests.
    package func markExclusive(port: UInt16) {
        for socket in reusable[port] ?? [] { connections[socket]?.isExclusive = true }
    }

    /// Returns whether a connection has received input, or was closed, since its last response. An unsolicited response must not become the
    /// response to the next request, as in libcurl before 8.0. Of Unix sockets, any idle one may be the connection.
    ///
    /// Source: [RFC 9112, 9.2](https://www.rfc-editor.org/rfc/rfc9112#section-9.2).
    package func hasUnexpectedInput(atPort port: UInt16) -> Bool {
        guard let sockets = reusable[port] else { return false }
        return sockets.contains { socket in
            guard let watch = connections[socket], watch.isExclusive, port != 0 || watch.wanted.isEmpty else { return false }
            return isReadable(socket)
        }
    }

    /// Calls `action` with each ready socket; waits for one until the deadline, in nanoseconds of `MonotonicTime.now`.
    func wait(until deadline: UInt64, from now: UInt64, onAwake: () -> Void, _ action: (_ socket: Int32, SocketSet.Interest) -> Void) {
        applyChanges()
        var isAwake = false
        set.wait(nanoseconds: deadline == .max ? nil : deadline > now ? deadline - now : 0) { socket, interest in
            if !isAwake { onAwake() }
            isAwake = true
            if !forgetIdle(socket) { action(socket, interest) }
        }
        if !isAwake { onAwake() }
    }

    private func applyChanges() {
        for socket in changed {
            guard let index = connections.index(forKey: socket) else { continue }
            let watch = connections.values[index]
            // An idle connection stays registered as it is: most are used again before anything arrives.
            guard watch.wanted != watch.known, !watch.wanted.isEmpty else { continue }
            set.watch(socket, for: watch.wanted, isNew: watch.known.isEmpty)
            connections.values[index].known = watch.wanted
        }
        changed.removeAll(keepingCapacity: true)
    }

    /// Stops watching a connection on which no input is expected, and returns whether it is one. `hasUnexpectedInput` finds the input that
    /// it has received; without this, the thread would wake again and again.
    private func forgetIdle(_ socket: Int32) -> Bool {
        guard let index = connections.index(forKey: socket), connections.values[index].wanted.isEmpty else { return false }
        set.watch(socket, for: SocketSet.Interest(rawValue: 0))
        connections.values[index].known = SocketSet.Interest(rawValue: 0)
        return true
    }
}

/// Returns whether bytes, the end of input or an error can be read; nothing is consumed.
private func isReadable(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
}

/// Returns the local port; 0 if there is none. The offset of the port is the same in IPv4 and IPv6 addresses.
func localPort(of socket: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    return isKnown ? UInt16(bigEndian: address.sin6_port) : 0
}
