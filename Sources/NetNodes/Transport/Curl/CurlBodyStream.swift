import Foundation
import Streams

/// Reads a body from a stream, which is subscribed to when its first byte is needed. It is confined to the engine's thread.
final class CurlBodyStream: CurlBody {
    private let stream: BodyStream
    private unowned let transfer: CurlTransfer
    private var feed: BodyFeed?
    private var position: Int64 = 0

    init(_ stream: BodyStream, of transfer: CurlTransfer) {
        self.stream = stream
        self.transfer = transfer
    }

    deinit { feed?.dispose() }

    override var length: Int64 { stream.length ?? -1 }

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        let feed = feed ?? BodyFeed(stream.bytes) { [engine = transfer.engine, transfer] in engine.continueSending(transfer) }
        self.feed = feed
        transfer.isAwaitingBody = false
        do {
            guard let count = try feed.read(into: buffer, rest: stream.length.map { $0 - position }) else {
                transfer.isAwaitingBody = true
                return .pause
            }
            position += Int64(count)
            if let length = stream.length, count == 0, position < length { throw BodyStreamError.tooShort(count: position, length: length) }
            return .bytes(count)
        } catch {
            return fail(error)
        }
    }

    private func fail(_ error: any Error) -> Reading {
        let reason = redactedDescription(of: error).trimmingSuffix(".")
        transfer.outcome = .failure(.bodyFailed(url: redacted(transfer.request.url), reason: reason))
        return .abort
    }

    override func seek(to position: Int64) -> Bool {
        if position == self.position { return true }
        guard position == 0, stream.isRepeatable else { return false }
        feed?.dispose()
        (feed, self.position) = (nil, 0)
        return true
    }
}

/// The bytes of a stream that wait to be sent: at most some 64 KB and one element. Then the stream is suspended.
private final class BodyFeed: Sendable {
    struct State {
        /// The emitted bytes, from the first one that was not read.
        var chunks: [Data] = []
        var count = 0
        var end: Result<Void, any Error>?
        var isAwaited = false
        var isSuspended = false

        /// Whether the stream may emit.
        var hasRoom: Bool { count < BodyFeed.limit / 2 || isAwaited }
    }

    fileprivate static let limit = 64 * 1024

    private let state = Lock(State())
    private let queue = SerialDispatchQueueScheduler(label: "NetNodes.body")
    private let suspension = Suspension()
    private let subscription = SerialDisposable()
    private let onReady: @Sendable () -> Void

    /// - Parameter onReady: called on any thread when there are bytes to read, after a read that found none.
    init(_ bytes: Observable<Data>, onReady: @escaping @Sendable () -> Void) {
        self.onReady = onReady
        subscription.disposable = bytes.subscribe(on: queue).suspended(by: suspension).subscribe(
            onNext: { [self] in add($0) }, onError: { [self] in end(.failure($0)) }, onCompleted: { [self] in end(.success(())) })
    }

    func dispose() { subscription.dispose() }

    private func add(_ data: Data) {
        guard !data.isEmpty else { return }
        let (wakes, isFull) = state.withLock { state in
            state.chunks.append(data)
            state.count += data.count
            return (state.isAwaited.take(), state.count >= Self.limit)
        }
        if isFull { suspend() }
        if wakes { onReady() }
    }

    /// Suspends the stream before it announces that: a read that has made room meanwhile could not know that it has to resume.
    private func suspend() {
        suspension.suspend()
        let mustResume = state.withLock { state in
            state.isSuspended = !state.hasRoom
            return state.hasRoom
        }
        if mustResume { resume() }
    }

    /// Resumes on the queue: no user code may run within libcurl or an observer.
    private func resume() { _ = queue.schedule { [suspension] in suspension.resume() } }

    private func end(_ end: Result<Void, any Error>) {
        let wakes = state.withLock { state in
            state.end = end
            return state.isAwaited.take()
        }
        if wakes { onReady() }
    }

    /// Returns the number of bytes copied, 0 at the end; returns `nil` if there are none yet.
    ///
    /// - Parameter rest: the number of bytes that are still announced. The last of them are copied when it is certain that no more follow.
    func read(into buffer: UnsafeMutableRawBufferPointer, rest: Int64?) throws -> Int? {
        let (reading, resumes) = state.withLock { state in
            let reading = Result { try state.read(into: buffer, rest: rest) }
            let resumes = state.isSuspended && state.hasRoom
            if resumes { state.isSuspended = false }
            return (reading, resumes)
        }
        if resumes { resume() }
        return try reading.get()
    }
}

extension BodyFeed.State {
    fileprivate mutating func read(into buffer: UnsafeMutableRawBufferPointer, rest: Int64?) throws -> Int? {
        if let rest, count > rest { throw BodyStreamError.tooLong }
        isAwaited = end == nil && (chunks.isEmpty || rest == Int64(count))
        guard !isAwaited else { return nil }
        guard chunks.isEmpty else { return take(into: buffer) }
        try end?.get()
        return 0
    }

    private mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        var used = 0
        for chunk in chunks where copied < buffer.count {
            let part = chunk.prefix(buffer.count - copied)
            part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[copied...]).copyMemory(from: $0) }
            copied += part.count
            if part.count == chunk.count { used += 1 } else { chunks[used] = chunk.dropFirst(part.count) }
        }
        chunks.removeFirst(used)
        count -= copied
        return copied
    }
}

extension Bool {
    /// Returns the value, and sets it to `false`.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
