internal import Sockets
import Streams

/// A connected or listening socket that reports when it is readable or writable.
///
/// `@unchecked Sendable`: all state is confined to the server's queue, where the table calls too.
final class StreamSocket: ByteSocket, @unchecked Sendable {
    let descriptor: Int32
    private let table: SocketTable
    private let onReleased: @Sendable () -> Void
    private var onReadable: (@Sendable () -> Void)?
    private var onWritable: (@Sendable () -> Void)?
    private var interest: SocketSet.Interest = []
    private var isClosed = false

    init(_ descriptor: Int32, table: SocketTable, onReleased: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.table = table
        self.onReleased = onReleased
        table.insert(self)
    }

    func startReading(_ handler: @escaping @Sendable () -> Void) {
        onReadable = Resources.bindingCounter(handler)
        resumeReading()
    }

    func pauseReading() { change(interest.subtracting(.read)) }

    func resumeReading() { change(interest.union(.read)) }

    func startWriting(_ handler: @escaping @Sendable () -> Void) {
        onWritable = Resources.bindingCounter(handler)
        change(interest.union(.write))
    }

    func stopWriting() { change(interest.subtracting(.write)) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> SocketTransfer { SocketCalls.read(descriptor, into: buffer) }

    func write(_ bytes: UnsafeRawBufferPointer) -> SocketTransfer { SocketCalls.write(descriptor, bytes) }

    func shutDownWriting() { SocketCalls.shutDownWriting(descriptor) }

    func reset() {
        SocketCalls.armReset(descriptor)
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        table.remove(self)
        onReadable = nil
        onWritable = nil
        SocketCalls.closeDescriptor(descriptor)
        onReleased()
    }

    /// Handles a readiness event of the system; readiness without a handler is ignored.
    func didBecomeReady(for readiness: SocketSet.Interest) {
        if readiness.contains(.write), interest.contains(.write) { onWritable?() }
        if readiness.contains(.read), interest.contains(.read) { onReadable?() }
    }

    private func change(_ wanted: SocketSet.Interest) {
        guard !isClosed, wanted != interest else { return }
        interest = wanted
        table.watch(self, for: wanted)
    }
}

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
