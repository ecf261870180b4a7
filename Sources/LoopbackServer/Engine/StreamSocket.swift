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
