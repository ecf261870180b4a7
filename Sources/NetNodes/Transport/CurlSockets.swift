internal import CLibcurl
import Foundation
internal import SocketPolling

/// The sockets of an engine, and the pipe by which its thread is woken. Confined to that thread.
final class CurlSockets {
    private struct Watch {
        /// What the system was told.
        var known = SocketSet.Interest(rawValue: 0)
        var wanted = SocketSet.Interest(rawValue: 0)
    }

    private let set: SocketSet
    /// The sockets of connections, of which it is known when they are made. libcurl has others that come and go in its name lookup.
    @exclusivity(unchecked) private var connections: [Int32: Watch] = [:]
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
    func open(_ address: curl_sockaddr) -> Int32 {
        let socket = systemSocket(address)
        if socket >= 0 { connections[socket] = Watch() }
        return socket
    }

    /// Waits for this from the next `wait` on. A connection that is put aside and taken up again meanwhile, as one request follows another, costs
    /// nothing.
    func watch(_ socket: Int32, for interest: SocketSet.Interest) {
        guard let index = connections.index(forKey: socket) else { return set.watch(socket, for: interest) }
        connections.values[index].wanted = interest
        changed.append(socket)
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
