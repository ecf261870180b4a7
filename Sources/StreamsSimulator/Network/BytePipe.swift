internal import Bytes
import Sockets
import Streams

/// One direction of a connection: a window of bytes, a latency and a bandwidth, and the order of TCP.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class BytePipe: @unchecked Sendable {
    /// The number of bytes that may be on their way or unread, as with the buffers of a system.
    private static let window = 64 << 10
    /// The number of bytes in one packet.
    private static let packetSize = 1_460

    private enum Content {
        case bytes([UInt8])
        case end
        case reset
    }

    let path: NetworkPath
    private let network: SimulatedNetwork
    /// Called when there are bytes to read, or the peer has closed.
    var onReadable: (@Sendable () -> Void)?
    /// Called when bytes have been read, so that there is room.
    var onWritable: (@Sendable () -> Void)?
    /// The number of bytes after which the connection is reset, if a fault requires that.
    private var lastByte: (limit: Int, fault: FaultOccurrence?)?
    private var unread = ByteQueue()
    /// The number of bytes that are on their way, or unread.
    private var occupied = 0
    private var hasEnded = false
    private(set) var isReset = false
    private var hanging: [FaultOccurrence] = []
    /// The times at which the last packet has left and arrives: no packet overtakes another.
    private var lastDeparture = Duration.zero
    private var lastArrival = Duration.zero
    private var delivered = 0

    init(_ path: NetworkPath, _ network: SimulatedNetwork) {
        (self.path, self.network) = (path, network)
    }

    var room: Int { isReset ? 0 : Self.window - occupied }

    var isReadable: Bool { unread.count > 0 || hasEnded || isReset }

    /// Takes as many bytes as fit, and returns their number.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(room, bytes.count)
        var start = 0
        while start < count {
            let end = min(count, start + Self.packetSize)
            send(.bytes(Array(bytes[start..<end])), size: end - start)
            start = end
        }
        occupied += count
        return count
    }

    func end() { send(.end, size: 0) }

    /// Discards the bytes on their way; the reader finds the connection reset.
    func reset() { send(.reset, size: 0) }

    /// Resets the connection when this many further bytes have arrived, unless it is reset earlier.
    func reset(after count: Int, by fault: FaultOccurrence?) {
        let limit = delivered + count
        if lastByte.map({ limit < $0.limit }) ?? true { lastByte = (limit, fault) }
    }

    func resetsWithNextByte() { reset(after: 1, by: nil) }

    /// Stops all deliveries.
    func hang(by fault: FaultOccurrence) { hanging.append(fault) }

    /// Reads the bytes that have arrived. Returns `nil` if there are none yet, and 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        let count = min(buffer.count, unread.count)
        guard count > 0 else { return hasEnded ? 0 : nil }
        unread.take(atMost: count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        let wasFull = occupied >= Self.window
        occupied -= count
        if wasFull { network.schedule(after: network.latency(path.reversed)) { [weak self] in self?.onWritable?() } }
        return count
    }

    private func send(_ content: Content, size: Int) {
        let now = network.now
        lastDeparture = max(now, lastDeparture) + network.transmissionTime(size, path)
        lastArrival = max(lastArrival, lastDeparture + network.latency(path))
        network.schedule(after: lastArrival - now) { [self] in arrive(content) }
    }

    /// Delivers content. During a partition it waits for the end, like data that is sent again.
    private func arrive(_ content: Content) {
        guard !isReset else { return }
        guard hanging.isEmpty else { return hanging.forEach { $0.takeEffect() } }
        if network.wait(on: path, { [self] in arrive(content) }) { return }
        switch content {
        case .bytes(let bytes): append(bytes)
        case .end: hasEnded = true
        case .reset: markReset()
        }
        onReadable?()
    }

    private func append(_ bytes: [UInt8]) {
        delivered += bytes.count
        guard let lastByte, delivered >= lastByte.limit else { return unread.append(bytes) }
        lastByte.fault?.takeEffect()
        network.reset(self)
    }

    func markReset() {
        isReset = true
        unread = ByteQueue()
    }
}
