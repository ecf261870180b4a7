public import Foundation
public import Streams

/// The progress of a download, and finally its completion.
public enum Download: Sendable, Equatable {
    /// The number of bytes received so far.
    case progress(TransferEvent.Progress)
    /// The file is complete.
    case finished(URL)
}

extension Download {
    /// The reason why a download could not be stored.
    public enum Failure: Error, Equatable, Sendable {
        /// The file cannot be written.
        case unwritable(path: String, reason: String)
    }
}

extension Download.Failure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .unwritable(let path, let reason): "The download cannot be written to \(path): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

/// Writes the response of a request into a file atomically, and emits the progress.
///
/// Until it is complete, the file has a temporary hidden name beside its target. A failure or a disposal removes it, and an existing file
/// is left unchanged. While the subscriber is suspended no bytes are read from the network. Fails with an ``HTTPError`` for an unsuccessful
/// status. Operator: ``Streams/ObservableType/download(to:)``.
public struct DownloadNode: Node {
    private let transport: any Transport
    private let target: URL

    /// Creates a node that writes the body of a response to the file at `target`.
    public init(transport: any Transport, to target: URL) {
        self.transport = transport
        self.target = target
    }

    public func stream(_ input: HTTPRequest) -> Observable<Download> {
        transport.exchangedTransfer(input).download(to: target)
    }
}

extension ObservableType<TransferEvent> {
    /// Writes the body of a transfer into a file atomically.
    ///
    /// The bytes are written, and the progress is emitted, on a queue of the download, so that a slow disk delays no other transfer. Fails
    /// with a ``Download/Failure``, with an ``HTTPError`` for an unsuccessful status, and with `TransportError.noResponse` without a
    /// response.
    public func download(to target: URL) -> Observable<Download> {
        let transfer = requiringResponse()
        return .using {
            DownloadSession(target)
        } observableFactory: { session in
            transfer.written { event in try session.take(event) }
        }
    }
}

/// One download. Sound by law 2: events are serialized; a disposal only releases the file.
private final class DownloadSession: Disposable, @unchecked Sendable {
    private let target: URL
    private var unsuccessful = UnsuccessfulResponse()
    private var expected: Int64?
    private var received: Int64 = 0
    private let file: Lock<PartialFile?> = Lock(nil)

    init(_ target: URL) {
        self.target = target
    }

    func take(_ event: TransferEvent) throws -> Download? {
        guard try !unsuccessful.consume(event) else { return nil }
        do {
            switch event {
            case .sent, .progress: return nil
            case .head(let head):
                expected = head.expectedLength
                let partial = try PartialFile(for: target)
                file.withLock { $0 = partial }
                return nil
            case .chunk(let data):
                try file.withLock { $0 }?.write(data)
                received += Int64(data.count)
                return .progress(TransferEvent.Progress(completed: received, total: expected))
            case .end:
                try file.withLock { $0.take() }?.finish()
                return .finished(target)
            }
        } catch {
            throw Download.Failure.unwritable(path: target.path, reason: reasonOfFileError(error))
        }
    }

    /// Releases the file, which is removed with its last reference, after a pending write.
    func dispose() {
        _ = file.withLock { $0.take() }
    }
}
