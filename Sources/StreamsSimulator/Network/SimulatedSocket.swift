import Sockets
import Streams

/// One end of a connection.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
final class SimulatedSocket: ByteSocket, @unchecked Sendable {
    /// The error of a connection whose peer closed it without a proper end.
    static let connectionReset: Int32 = 104

    private let network: SimulatedNetwork
    private let owner: Incarnation?
    let input: BytePipe
    let output: BytePipe
    private var onReadable: (@Sendable () -> Void)?
    private var onWritable: (@Sendable () -> Void)? { didSet { updateWakeup() } }
    private var isReading = false { didSet { updateWakeup() } }
    private var isCalled = false
    private(set) var isClosed = false
    /// The wake-up, while the owner waits for it.
    private var wakeup: Incarnation.Wakeup?
    private var hasEnded = false

    init(_ network: SimulatedNetwork, owner: Incarnation?, input: BytePipe, output: BytePipe) {
        (self.network, self.owner, self.input, self.output) = (network, owner, input, output)
        input.onReadable = { [weak self] in self?.didBecomeReadable() }
        output.onWritable = { [weak self] in self?.callWriter() }
        owner?.whenItEnds { [weak self] in self?.reset() }
    }

    func startReading(_ handler: @escaping @Sendable () -> Void) {
        onReadable = handler
        resumeReading()
    }

    func pauseReading() { isReading = false }

    func resumeReading() {
        isReading = true
        guard input.isReadable, !isCalled else { return }
        isCalled = true
        network.schedule(after: .zero) { [weak self] in
            self?.isCalled = false
            self?.callReader()
        }
    }

    func startWriting(_ handler: @escaping @Sendable () -> Void) { onWritable = handler }

    func stopWriting() { onWritable = nil }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> SocketTransfer {
        if input.isReset { return .failed(Self.connectionReset) }
        return input.read(into: buffer).map { .count($0) } ?? .wouldBlock
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> SocketTransfer {
        if output.isReset || input.isReset { return .failed(Self.connectionReset) }
        let count = output.write(bytes)
        return count > 0 || bytes.isEmpty ? .count(count) : .wouldBlock
    }

    func shutDownWriting() {
        guard !hasEnded else { return }
        hasEnded = true
        output.end()
    }

    func reset() {
        guard !isClosed else { return }
        output.reset()
        release()
    }

    func close() {
        guard !isClosed else { return }
        shutDownWriting()
        release()
    }

    private func updateWakeup() {
        let isExpected = !isClosed && (isReading || onWritable != nil)
        guard isExpected != (wakeup != nil) else { return }
        wakeup?.end()
        wakeup = isExpected ? owner?.expectWakeup() : nil
    }

    private func release() {
        isClosed = true
        (onReadable, onWritable) = (nil, nil)
        network.remove(self)
    }

    /// Reports readiness. Those who wait to write see a reset as well.
    private func didBecomeReadable() {
        callReader()
        if input.isReset { callWriter() }
    }

    /// Calls the handler as long as it has not read everything, as a set of sockets does.
    private func callReader() {
        guard isReading, !isClosed, input.isReadable, let onReadable else { return }
        network.loop.run(as: owner, onReadable)
        if isReading, !isClosed, input.isReadable { resumeReading() }
    }

    private func callWriter() {
        guard let onWritable, !isClosed else { return }
        network.loop.run(as: owner, onWritable)
    }
}
