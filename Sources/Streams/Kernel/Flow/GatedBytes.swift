import Foundation
import Schedulers

/// The bytes between a stream that pushes them and a reader that takes them when it can pass them on; with the gate that suspends the
/// stream while they are many. All change together, under the lock of their owner.
///
/// It counts bytes, where a `GatedBuffer` counts elements, and the reader is told when there are some.
package struct GatedBytes {
    /// The answer to a reader.
    package enum Next: Sendable {
        case bytes
        /// Nothing yet: the next `append` or `finish` says that the reader waits.
        case nothingYet
        case end(Result<Void, any Error>)
    }

    private let gate: Gate
    /// The number of bytes at which the gate closes. It opens when fewer than half are left.
    private let limit: Int
    private var pieces = ElementQueue<Data>()
    /// The number of bytes of the first piece that were taken.
    private var takenOfFirst = 0
    private var end: Result<Void, any Error>?
    private var isAwaited = false
    /// The number of bytes that wait.
    package private(set) var count = 0

    package init(limit: Int, suspending gate: Gate) {
        (self.limit, self.gate) = (limit, gate)
    }

    /// Whether bytes are accepted.
    package var isOpen: Bool { end == nil }

    /// Appends bytes, unless the end was accepted; empty data is ignored. Returns whether the reader waits.
    package mutating func append(_ data: Data) -> Bool {
        guard isOpen, !data.isEmpty else { return false }
        pieces.append(data)
        count += data.count
        if count >= limit { gate.suspend() }
        return endWait()
    }

    /// Accepts the end, unless it was accepted. Returns whether the reader waits.
    package mutating func finish(_ end: Result<Void, any Error>) -> Bool {
        guard isOpen else { return false }
        self.end = end
        return endWait()
    }

    /// Removes the bytes that wait. They are returned to be released outside the lock (law 3).
    package mutating func removeAll() -> [Data] { take(upTo: count) }

    /// Returns what there is to be read.
    ///
    /// - Parameter last: this many bytes are taken only when it is certain that none follow.
    package mutating func next(keeping last: Int64? = nil) -> Next {
        isAwaited = isOpen && (count == 0 || last == Int64(count))
        if isAwaited { return .nothingYet }
        guard count == 0, let end else { return .bytes }
        return .end(end)
    }

    /// Takes at most `limit` bytes in the pieces in which they were pushed. They are released outside the lock (law 3).
    package mutating func take(upTo limit: Int) -> [Data] {
        var taken: [Data] = []
        var rest = min(limit, count)
        count -= rest
        while rest > 0, let first = pieces.first {
            let piece = first.dropFirst(takenOfFirst).prefix(rest)
            taken.append(piece)
            rest -= piece.count
            takenOfFirst += piece.count
            guard takenOfFirst == first.count else { break }
            _ = pieces.popFirst()
            takenOfFirst = 0
        }
        return taken
    }

    /// Opens the gate if there is room, or the reader waits. The change is performed outside the lock.
    package mutating func open() -> GateChange {
        guard gate.isClosed, count < limit / 2 || isAwaited else { return .none }
        return gate.resume()
    }

    private mutating func endWait() -> Bool {
        defer { isAwaited = false }
        return isAwaited
    }
}
