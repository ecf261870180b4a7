internal import CLibcurl
import Foundation
internal import SocketPolling

/// The sockets of an engine, and the pipe by which its thread is woken. Confined to that thread.
final class CurlSockets {
    private struct Watch {
        /// What the system was told.
        var known = SocketSet.Interest(rawValue: 0)
        var wanted = SocketSet.Interest(rawValue: 0)
        /// Whether it carries one request at a time, so that nothing is to come while no request is on its way.
        var isExclusive: Bool
        /// The port on this side, 0 until the connection is put aside for the first time.
        var port: UInt16 = 0
    }

    private let set: SocketSet
    /// The sockets of connections, of which it is known when they are made. libcurl has others that come and go in its name lookup.
    @exclusivity(unchecked) private var connections: [Int32: Watch] = [:]
    /// The connections that have been put aside at least once, by their local ports: of the connection that a request is about to use libcurl tells
    /// nothing else. Nearly always one a port.
    @exclusivity(unchecked) private var reusable: [UInt16: [Int32]] = [:]
    @exclusivity(unchecked) private var changed: [Int32] = []
    private let outlet: Int32
    let inlet: Int32

    /// `nil` if the process has no descriptor left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard let set = SocketSet() else { return nil }
        guard pipe(&ends) == 0 else {
            SocketSet.close(set.descriptor)
            return nil
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        self.set = set
        (outlet, inlet) = (ends[0], ends[1])
        set.watch(outlet, for: .read)
    }

    deinit {
        for descriptor in [outlet, inlet] { close(descriptor) }
        SocketSet.close(set.descriptor)
    }

    /// A new socket for a connection: whatever had its number before is closed, and forgotten by the system.
    ///
    /// - Parameter isExclusive: whether it is known to carry one request at a time.
    func open(_ address: curl_sockaddr, isExclusive: Bool) -> Int32 {
        let socket = systemSocket(address)
        if socket >= 0 { connections[socket] = Watch(isExclusive: isExclusive) }
        return socket
    }

    /// The socket is about to be closed: its number may be anything's in the process from then on.
    func forget(_ socket: Int32) {
        guard let port = connections.removeValue(forKey: socket)?.port, port != 0 else { return }
        reusable[port]?.removeAll { $0 == socket }
        if reusable[port]?.isEmpty == true { reusable[port] = nil }
    }

    /// Waits for this from the next `wait` on. A connection that is put aside and taken up again meanwhile, as one request follows another, costs
    /// nothing.
    func watch(_ socket: Int32, for interest: SocketSet.Interest) {
        guard let index = connections.index(forKey: socket) else { return set.watch(socket, for: interest) }
        connections.values[index].wanted = interest
        if interest.isEmpty, connections.values[index].port == 0 {
            let port = localPort(of: socket)
            connections.values[index].port = port
            if port != 0 { reusable[port, default: []].append(socket) }
        }
        changed.append(socket)
    }

    /// From now on nothing is to come on the connection while no request is on its way.
    func markExclusive(port: UInt16) {
        for socket in reusable[port] ?? [] { connections[socket]?.isExclusive = true }
    }

    /// Whether something came on a connection, or its end, since its last answer. What a server sends unasked must not become the answer to the next
    /// request, for which libcurl before 8.0 takes it.
    ///
    /// Source: [RFC 9112, 9.2](https://www.rfc-editor.org/rfc/rfc9112#section-9.2).
    func hasUnexpectedInput(atPort port: UInt16) -> Bool {
        guard let sockets = reusable[port] else { return false }
        return sockets.contains { connections[$0]?.isExclusive == true && isReadable($0) }
    }

    /// Calls `action` with each socket that is ready; waits for one until the deadline, in nanoseconds of `Deadline.now`.
    func wait(until deadline: UInt64, from now: UInt64, onAwake: () -> Void, _ action: (_ socket: Int32, SocketSet.Interest) -> Void) {
        applyChanges()
        var isAwake = false
        set.wait(milliseconds: milliseconds(until: deadline, from: now)) { socket, interest in
            if !isAwake { onAwake() }
            isAwake = true
            if socket == outlet { drain() } else { action(socket, interest) }
        }
        if !isAwake { onAwake() }
    }

    private func applyChanges() {
        for socket in changed {
            guard let index = connections.index(forKey: socket) else { continue }
            let watch = connections.values[index]
            guard watch.wanted != watch.known else { continue }
            set.watch(socket, for: watch.wanted)
            connections.values[index].known = watch.wanted
        }
        changed.removeAll(keepingCapacity: true)
    }

    private func milliseconds(until deadline: UInt64, from now: UInt64) -> Int32? {
        guard deadline != .max else { return nil }
        guard deadline > now else { return 0 }
        return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
    }

    private func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while read(outlet, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}

/// Whether bytes, the end or an error can be read; whatever it is stays there.
private func isReadable(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK)
}

/// The port is at the same place in addresses of version 4. 0 if there is none.
private func localPort(of socket: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) == 0 }
    }
    return isKnown ? UInt16(bigEndian: address.sin6_port) : 0
}

/// A socket that programs started by this process do not inherit.
private func systemSocket(_ address: curl_sockaddr) -> curl_socket_t {
    #if os(Linux)
        return socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
    #else
        let descriptor = socket(address.family, address.socktype, address.protocol)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
    #endif
}
