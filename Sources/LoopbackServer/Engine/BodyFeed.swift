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

    /// The reason for a body that has to be truncated.
    private struct Failure: Error {}

    /// The lifetime of the producer.
    let gate = Gate()
    private static let suspensionBytes = 256 << 10
    private let limit: Int
    let queue: ServerQueue
    /// Makes the connection do everything that can be done now.
    let wakeReader: @Sendable () -> Void
    private let onOverflow: @Sendable () -> Void
    private let bytes: Lock<GatedBytes>

    /// Creates the buffer of a connection, whose closures are called on the server's queue.
    init(
        limit: Int, queue: ServerQueue, wakeReader: @escaping @Sendable () -> Void, onOverflow: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.queue = queue
        self.wakeReader = wakeReader
        self.onOverflow = onOverflow
        bytes = Lock(GatedBytes(limit: Self.suspensionBytes, suspending: gate))
    }

    /// Whether more bytes are accepted.
    var isOpen: Bool { bytes.withLock { $0.isOpen } }

    /// Appends bytes; empty data is ignored.
    func append(_ data: Data) {
        let (wakes, overflow) = bytes.withLock { bytes -> (Bool, [Data]?) in
            guard bytes.isOpen, bytes.count + data.count > limit else { return (bytes.append(data), nil) }
            return (bytes.finish(.failure(Failure())), bytes.removeAll())
        }
        if wakes { queue.run(wakeReader) }
        if overflow != nil { queue.run(onOverflow) }
    }

    /// Finishes the body; after a failure the client sees a truncated body.
    func finish(hasFailed: Bool) {
        let wakes = bytes.withLock { $0.finish(hasFailed ? .failure(Failure()) : .success(())) }
        if wakes { queue.run(wakeReader) }
    }

    /// Discards all bytes: the connection needs no more of them.
    func close() {
        _ = bytes.withLock { bytes in
            _ = bytes.finish(.failure(Failure()))
            return bytes.removeAll()
        }
    }

    /// Takes at most `count` bytes. After `nothingYet`, the reader is woken once.
    func take(upTo count: Int) -> Taken {
        let (next, pieces, change) = bytes.withLock { bytes in
            let next = bytes.next()
            return (next, bytes.take(upTo: count), bytes.open())
        }
        // Not here: the connection is writing, and would miss the wake-up.
        if case .opened = change { queue.runLater { change.perform() } }
        return switch next {
        case .bytes: .bytes(pieces.count == 1 ? pieces[0] : pieces.reduce(into: Data()) { $0.append($1) })
        case .nothingYet: .nothingYet
        case .end(.success): .end
        case .end(.failure): .failure
        }
    }
}
