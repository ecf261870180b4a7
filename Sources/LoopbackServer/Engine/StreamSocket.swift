internal import SocketPolling
import Streams

/// A connected or listening socket that tells when there is something to read or room to write.
///
/// `@unchecked Sendable`: everything here is touched on the server's queue only, where the table calls too.
final class StreamSocket: @unchecked Sendable {
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

    /// Calls the handler whenever there is something to read, until `pauseReading` or `close`.
    func startReading(_ handler: @escaping @Sendable () -> Void) {
        onReadable = Resources.bindingCounter(handler)
        resumeReading()
    }

    func pauseReading() { change(interest.subtracting(.read)) }

    func resumeReading() { change(interest.union(.read)) }

    /// Calls the handler whenever there is room to write, until `stopWriting` or `close`.
    func startWriting(_ handler: @escaping @Sendable () -> Void) {
        onWritable = Resources.bindingCounter(handler)
        change(interest.union(.write))
    }

    func stopWriting() { change(interest.subtracting(.write)) }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        table.remove(self)
        onReadable = nil
        onWritable = nil
        SocketCalls.closeDescriptor(descriptor)
        onReleased()
    }

    /// The system says so; what nobody waits for is passed over.
    func isReady(for readiness: SocketSet.Interest) {
        if readiness.contains(.write), interest.contains(.write) { onWritable?() }
        if readiness.contains(.read), interest.contains(.read) { onReadable?() }
    }

    private func change(_ wanted: SocketSet.Interest) {
        guard !isClosed, wanted != interest else { return }
        interest = wanted
        table.watch(self, for: wanted)
    }
}
