import Foundation
import Streams

/// The bytes of a streaming body on their way from whatever thread makes them to the connection that sends them.
///
/// It holds at most `limit` bytes that the client has not taken yet. When more come it closes itself: the producer sees `isOpen` turn false and
/// the connection ends, because bytes that cannot be kept cannot be left out either.
final class BodyFeed: Sendable {
    enum Taken: Sendable {
        case bytes(Data)
        case nothingYet
        case end
        case failure
    }

    fileprivate struct State: Sendable {
        var waiting: [Data] = []
        var waitingBytes = 0
        var isOpen = true
        var hasFailed = false
        var readerWaits = false
    }

    private let limit: Int
    private let wakeReader: @Sendable () -> Void
    private let onOverflow: @Sendable () -> Void
    private let state = Lock(State())

    init(limit: Int, wakeReader: @escaping @Sendable () -> Void, onOverflow: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.wakeReader = wakeReader
        self.onOverflow = onOverflow
    }

    /// Whether more bytes are of any use.
    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Appends bytes; no bytes are nothing.
    func append(_ data: Data) {
        guard !data.isEmpty else { return }
        var overflows = false
        change { state in
            overflows = state.waitingBytes + data.count > limit
            guard !overflows else { return state.fail() }
            state.waiting.append(data)
            state.waitingBytes += data.count
        }
        if overflows { onOverflow() }
    }

    /// Ends the body; with a failure, so that the client sees it broken off.
    func finish(hasFailed: Bool) {
        change { state in
            state.isOpen = false
            state.hasFailed = state.hasFailed || hasFailed
        }
    }

    /// Forgets everything: the connection needs no more.
    func close() {
        change { state in
            state.readerWaits = false
            state.fail()
        }
    }

    /// Takes at most that many bytes. After `nothingYet` the reader is woken once.
    func take(upTo count: Int) -> Taken {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                guard state.isOpen else { return state.hasFailed ? .failure : .end }
                state.readerWaits = true
                return .nothingYet
            }
            return .bytes(state.take(upTo: count))
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let readerWaits = state.withLock { state in
            guard state.isOpen else { return false }
            body(&state)
            defer { state.readerWaits = false }
            return state.readerWaits
        }
        if readerWaits { wakeReader() }
    }
}

extension BodyFeed.State {
    fileprivate mutating func fail() {
        isOpen = false
        hasFailed = true
        waiting = []
        waitingBytes = 0
    }

    fileprivate mutating func take(upTo count: Int) -> Data {
        var taken = Data()
        var used = 0
        while used < waiting.count, taken.count < count {
            let part = waiting[used].prefix(count - taken.count)
            taken.append(part)
            if part.count < waiting[used].count {
                waiting[used] = Data(waiting[used].dropFirst(part.count))
            } else {
                used += 1
            }
        }
        waiting.removeFirst(used)
        waitingBytes -= taken.count
        return taken
    }
}
