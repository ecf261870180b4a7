public import Foundation
public import Streams

/// How far a download is, and at the end that it is complete.
public enum Download: Sendable, Equatable {
    /// So many bytes have come.
    case progress(TransferProgress)
    /// The file is there, whole.
    case finished(URL)
}

/// Why a download could not be kept.
public enum DownloadError: Error, Equatable, Sendable {
    /// The file cannot be written.
    case unwritable(path: String, reason: String)
}

extension DownloadError: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .unwritable(let path, let reason): "The download cannot be written to \(path): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}

/// Writes the response of a request into a file, which is there whole or not at all, and tells how far it is.
///
/// While it comes it stands beside its place under a hidden name; a failure and a disposal remove it, and a file that was there before stays
/// as it was. Fails with an ``HTTPError`` at a bad status. Operator: ``Streams/ObservableType/download(to:)``.
public struct DownloadNode: Node {
    private let transport: any Transport
    private let target: URL

    public init(transport: any Transport, to target: URL) {
        self.transport = transport
        self.target = target
    }

    /// - Parameter isPaused: while its latest is true no bytes are taken from the network.
    public init(transport: any PausableTransport, to target: URL, pausedWhile isPaused: Observable<Bool>) {
        self.init(transport: StubTransport { transport.transfer($0, pausedWhile: isPaused) }, to: target)
    }

    public func stream(_ input: HTTPRequest) -> Observable<Download> {
        transport.transfer(input).download(to: target)
    }
}

extension ObservableType<TransferEvent> {
    /// Writes the body of a transfer into a file, which is there whole or not at all.
    ///
    /// The bytes are written where the transfer sends them. Fails with a ``DownloadError``, an ``HTTPError`` at a bad status, and
    /// ``TransportError/noResponse`` where none came.
    public func download(to target: URL) -> Observable<Download> {
        let transfer = requiringResponse()
        return .using {
            DownloadSession(target)
        } observableFactory: { session in
            transfer.compactMap { event in try session.take(event) }
        }
    }
}

/// One download. Law 2 makes the unchecked conformance sound: events come one at a time; whoever disposes only gives the file up.
private final class DownloadSession: Disposable, @unchecked Sendable {
    private let target: URL
    private var bad = BadResponse()
    private var expected: Int64?
    private var received: Int64 = 0
    private let file: Lock<PartialFile?> = Lock(nil)

    init(_ target: URL) {
        self.target = target
    }

    func take(_ event: TransferEvent) throws -> Download? {
        guard try !bad.takes(event) else { return nil }
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
                return .progress(TransferProgress(completed: received, total: expected))
            case .end:
                try file.withLock { $0.take() }?.finish()
                return .finished(target)
            }
        } catch {
            throw DownloadError.unwritable(path: target.path, reason: reasonOfFileError(error))
        }
    }

    /// The file goes with its last reference, after a write that is going on.
    func dispose() {
        _ = file.withLock { $0.take() }
    }
}
