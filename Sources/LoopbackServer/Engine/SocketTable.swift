internal import Sockets
import Streams

/// The open sockets of a server by descriptor, and the set that watches them.
///
/// A descriptor may be reused as soon as it is closed. A readiness event for the previous socket is harmless: sockets do not block, and a
/// read or write without effect waits again.
///
/// `@unchecked Sendable`: all state is confined to the server's queue; the poller calls there.
final class SocketTable: @unchecked Sendable {
    private var poller: SocketPoller?
    private var sockets: [Int32: StreamSocket] = [:]
    private var isClosing = false

    /// Creates a table; returns `nil` if the process has no descriptor left.
    ///
    /// - Parameter onClosed: called when the table is closed and the last socket is removed.
    init?(queue: ServerQueue, onClosed: @escaping @Sendable () -> Void) {
        poller = SocketPoller(queue: queue.queue, onReady: { [weak self] in self?.dispatch() }, onClosed: onClosed)
        guard poller != nil else { return nil }
    }

    func insert(_ socket: StreamSocket) {
        sockets[socket.descriptor] = socket
    }

    func watch(_ socket: StreamSocket, for interest: SocketSet.Interest) {
        poller?.watch(socket.descriptor, for: interest)
    }

    /// Must be called before the descriptor is closed.
    func remove(_ socket: StreamSocket) {
        poller?.watch(socket.descriptor, for: [])
        sockets[socket.descriptor] = nil
        closeIfDone()
    }

    /// Closes the table once the last socket is removed.
    func close() {
        isClosing = true
        closeIfDone()
    }

    private func closeIfDone() {
        guard isClosing, sockets.isEmpty else { return }
        poller?.cancel()
        poller = nil
    }

    private func dispatch() {
        poller?.forEachReady { descriptor, interest in sockets[descriptor]?.didBecomeReady(for: interest) }
    }
}
