import Foundation
import Streams

/// Reads a body from a stream, which is subscribed to when its first byte is needed. It is confined to the engine's thread.
final class CurlBodyStream: CurlBody {
    private let stream: HTTPRequest.BodyStream
    private unowned let transfer: CurlTransfer
    private var feed: UploadFeed?
    private var position: Int64 = 0

    init(_ stream: HTTPRequest.BodyStream, of transfer: CurlTransfer) {
        self.stream = stream
        self.transfer = transfer
    }

    deinit { feed?.dispose() }

    override var length: Int64 { stream.length ?? -1 }

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        let feed = feed ?? UploadFeed(stream.bytes) { [transfer] in transfer.continueSending() }
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
        transfer.outcome = .failure(.bodyFailed(url: transfer.request.redactedURL, reason: reason))
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

/// The bytes of a stream that wait to be sent: at most some 512 KB and one element. Then the stream is suspended, which costs four switches
/// of threads, so that it has to be rare.
private final class UploadFeed: Sendable {
    private static let limit = 512 * 1024

    private let gate = Gate()
    private let bytes: Lock<GatedBytes>
    private let queue = SerialDispatchQueueScheduler(label: "NetNodes.body")
    private let onReady: @Sendable () -> Void

    /// - Parameter onReady: called on any thread when there are bytes to read, after a read that found none.
    init(_ stream: Observable<Data>, onReady: @escaping @Sendable () -> Void) {
        self.onReady = onReady
        bytes = Lock(GatedBytes(limit: Self.limit, suspending: gate))
        stream.subscribe(on: queue).subscribe(in: gate) { [self] event in
            let wakes = bytes.withLock { bytes in
                switch event {
                case .next(let data): bytes.append(data)
                case .error(let error): bytes.finish(.failure(error))
                case .completed: bytes.finish(.success(()))
                }
            }
            if wakes { self.onReady() }
        }
    }

    func dispose() { gate.dispose() }

    /// Returns the number of bytes copied, 0 at the end; returns `nil` if there are none yet.
    ///
    /// - Parameter rest: the number of bytes that are still announced. The last of them are copied when it is certain that no more follow.
    func read(into buffer: UnsafeMutableRawBufferPointer, rest: Int64?) throws -> Int? {
        let (reading, change) = bytes.withLock { bytes in
            let reading = Result { try bytes.read(upTo: buffer.count, rest: rest) }
            return (reading, bytes.open())
        }
        // On the queue: no user code may run within libcurl.
        if case .opened = change { _ = queue.schedule { change.perform() } }
        guard let pieces = try reading.get() else { return nil }
        var copied = 0
        for piece in pieces {
            piece.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[copied...]).copyMemory(from: $0) }
            copied += piece.count
        }
        return copied
    }
}

extension GatedBytes {
    fileprivate mutating func read(upTo limit: Int, rest: Int64?) throws -> [Data]? {
        if let rest, count > rest { throw BodyStreamError.tooLong }
        switch next(keeping: rest) {
        case .nothingYet: return nil
        case .bytes: return take(upTo: limit)
        case .end(let end):
            try end.get()
            return []
        }
    }
}
