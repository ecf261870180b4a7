internal import SocketPolling
import Streams

/// The open sockets of a server by their descriptors, and the one set that watches them.
///
/// A descriptor's number may be used again as soon as it is closed. A readiness that was told for the socket that had the number before does no
/// harm: sockets do not block, and whoever reads or writes in vain waits on.
///
/// `@unchecked Sendable`: everything here is touched on the server's queue only; the poller calls there.
final class SocketTable: @unchecked Sendable {
    private var poller: SocketPoller?
    private var sockets: [Int32: StreamSocket] = [:]
    private var isClosing = false

    /// `nil` if the process has no descriptor left.
    ///
    /// - Parameter onClosed: called when the table is closed and the last socket is gone.
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

    /// To be called before the descriptor is closed.
    func remove(_ socket: StreamSocket) {
        poller?.watch(socket.descriptor, for: [])
        sockets[socket.descriptor] = nil
        closeIfDone()
    }

    /// Ends with the last socket.
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
        poller?.forEachReady { descriptor, interest in sockets[descriptor]?.isReady(for: interest) }
    }
}
