import Foundation
import Streams

/// A bounded buffer for the bytes of a streaming body, between the thread that produces them and the connection that sends them.
///
/// A producer that can be suspended is suspended, in the lifetime of its `gate`, while the client has `suspensionBytes` to receive. For any
/// other producer, the buffer holds at most `limit` bytes that the client has not received yet. When it overflows it closes: the producer
/// sees `isOpen` turn false, and the connection is closed, because a body with bytes left out would be corrupt.
final class BodyFeed: Sendable {
    enum Taken: Sendable {
        case bytes(Data)
        case nothingYet
        case end
        case failure
    }

    fileprivate struct State: Sendable {
        var buffered: [Data] = []
        var bufferedByteCount = 0
        var isOpen = true
        var hasFailed = false
        var isReaderWaiting = false
    }

    /// The lifetime of the producer.
    let gate = Gate()
    private static let suspensionBytes = 256 << 10
    private let limit: Int
    let queue: ServerQueue
    /// Makes the connection do everything that can be done now.
    let wakeReader: @Sendable () -> Void
    private let onOverflow: @Sendable () -> Void
    private let state = Lock(State())

    /// Creates the buffer of a connection, whose closures are called on the server's queue.
    init(
        limit: Int, queue: ServerQueue, wakeReader: @escaping @Sendable () -> Void, onOverflow: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.queue = queue
        self.wakeReader = wakeReader
        self.onOverflow = onOverflow
    }

    /// Whether more bytes are accepted.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Appends bytes; empty data is ignored.
    func append(_ data: Data) {
        guard !data.isEmpty else { return }
        var overflows = false
        change { state in
            overflows = state.bufferedByteCount + data.count > limit
            guard !overflows else { return state.fail() }
            state.buffered.append(data)
            state.bufferedByteCount += data.count
            if state.bufferedByteCount >= Self.suspensionBytes { gate.suspend() }
        }
        if overflows { queue.run(onOverflow) }
    }

    /// Finishes the body; after a failure the client sees a truncated body.
    func finish(hasFailed: Bool) {
        change { state in
            state.isOpen = false
            state.hasFailed = state.hasFailed || hasFailed
        }
    }

    /// Discards all bytes: the connection needs no more of them.
    func close() {
        change { state in
            state.isReaderWaiting = false
            state.fail()
        }
    }

    /// Takes at most `count` bytes. After `nothingYet`, the reader is woken once.
    func take(upTo count: Int) -> Taken {
        let (taken, opening): (Taken, GateChange) = state.withLock { state in
            guard !state.buffered.isEmpty else {
                guard state.isOpen else { return (state.hasFailed ? .failure : .end, .none) }
                state.isReaderWaiting = true
                return (.nothingYet, .none)
            }
            let bytes = state.take(upTo: count)
            return (.bytes(bytes), state.buffered.isEmpty && gate.isClosed ? gate.resume() : .none)
        }
        // Not here: the connection is writing, and would miss the wake-up.
        if case .opened = opening { queue.runLater { opening.perform() } }
        return taken
    }

    private func change(_ body: (inout State) -> Void) {
        let isReaderWaiting = state.withLock { state in
            guard state.isOpen else { return false }
            body(&state)
            defer { state.isReaderWaiting = false }
            return state.isReaderWaiting
        }
        if isReaderWaiting { queue.run(wakeReader) }
    }
}

extension BodyFeed.State {
    fileprivate mutating func fail() {
        isOpen = false
        hasFailed = true
        buffered = []
        bufferedByteCount = 0
    }

    fileprivate mutating func take(upTo count: Int) -> Data {
        var taken = Data()
        var used = 0
        while used < buffered.count, taken.count < count {
            let part = buffered[used].prefix(count - taken.count)
            taken.append(part)
            if part.count < buffered[used].count {
                buffered[used] = Data(buffered[used].dropFirst(part.count))
            } else {
                used += 1
            }
        }
        buffered.removeFirst(used)
        bufferedByteCount -= taken.count
        return taken
    }
}
