import Foundation
import Streams

/// The body of a request whose route consumes it while it arrives.
///
/// Nothing is taken from the connection without a subscriber, or while it is suspended; then the connection is read no further.
///
/// `@unchecked Sendable`: all state is confined to the server's queue.
final class Upload: @unchecked Sendable {
    private let body: Incoming<Data>

    /// - Parameter resume: continues to take bytes; called on the queue.
    init(_ queue: ServerQueue, resume: @escaping @Sendable () -> Void) {
        body = Incoming(queue, resume: resume)
    }

    /// Whether everything has been taken, or the remaining bytes will not arrive.
    var hasEnded: Bool { body.hasEnded }

    /// Whether the client is expected to send more.
    var awaitsBytes: Bool { body.isAwaited }

    /// The bytes, for one subscriber at a time.
    var bytes: Observable<Data> { body.elements }

    /// Passes on the received bytes, until the subscriber is suspended.
    func take(from parser: inout RequestParser) throws(RequestFailure) {
        while body.isAwaited {
            switch parser.next() {
            case .bytes(let bytes): body.emit(Data(bytes))
            case .bodyEnd: return body.finish(with: .completed)
            case .failed(let failure): throw failure
            case .needsInput, .expectsContinue, .request, .upload: return
            }
        }
        body.park()
    }

    func fail(_ reason: String) {
        body.finish(with: .error(LoopbackServer.InterruptedUpload(reason: reason)))
    }
}

extension Upload: Equatable {
    static func == (left: Upload, right: Upload) -> Bool { left === right }
}

extension LoopbackServer {
    /// The error of the stream of a body that does not arrive completely.
    public struct InterruptedUpload: Error, Sendable, Equatable, LocalizedError {
        /// The reason for the interruption.
        public let reason: String

        /// The error as a sentence.
        public var errorDescription: String? { "The upload was interrupted: \(reason)" }
    }
}
