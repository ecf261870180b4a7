public import Foundation
public import Streams
import Synchronization

extension HTTPRequest {
    /// A body whose bytes are made while they are sent, such as an export that does not fit into memory.
    ///
    /// The stream is subscribed to when a connection takes its first byte, on a queue of the transfer; one with the length 0 is subscribed
    /// to before the request is sent, which waits for its end. While 512 KB wait to be sent, because the server reads no faster, the source
    /// is suspended. If it cannot be suspended, up to 256 of its elements are kept.
    public struct BodyStream: Sendable {
        /// The number of bytes, sent as `Content-Length`. A source that produces more or fewer fails the request, and so does a negative
        /// number. `nil` means that the number is not known: the body is then sent in chunks, which a server of HTTP/1.0 does not
        /// understand.
        public let length: Int64?
        /// Whether the body can be sent again: by a retry, after a redirect, and when a connection was lost before the server received it.
        public let isRepeatable: Bool
        let bytes: Observable<Data>
        private let identity = Identity()

        private final class Identity: Sendable {}

        /// Creates a body of the elements of a cold stream, which is subscribed to each time that the body is sent.
        public init(_ bytes: Observable<Data>, length: Int64? = nil) {
            (self.bytes, self.length, isRepeatable) = (bytes, length, true)
        }

        /// Creates a body of the elements of a sequence, which is iterated once: the body cannot be sent again.
        public init<Bytes: AsyncSequence & Sendable>(_ bytes: Bytes, length: Int64? = nil) where Bytes.Element == Data {
            let isTaken = Once()
            self.bytes = .deferred { isTaken.take() ? .from(bytes) : .error(BodyStreamError.sentAlready) }
            (self.length, isRepeatable) = (length, false)
        }

        private final class Once: Sendable {
            private let isTaken = Atomic(false)

            func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
        }
    }
}

extension HTTPRequest.BodyStream: Equatable {
    /// Returns whether both are the same stream.
    public static func == (left: HTTPRequest.BodyStream, right: HTTPRequest.BodyStream) -> Bool { left.identity === right.identity }
}

extension HTTPRequest.BodyStream: RequestBodyConvertible {
    /// Returns the stream unchanged; the encoding of the request is ignored.
    public func encoded(_ encoding: HTTPRequest.Encoding) -> HTTPRequest.EncodedBody {
        HTTPRequest.EncodedBody(body: .stream(self), contentType: "application/octet-stream")
    }
}

/// The reason why a stream does not produce the announced body.
enum BodyStreamError: RedactedError, CustomStringConvertible {
    case sentAlready
    case tooShort(count: Int64, length: Int64)
    case tooLong
    case negativeLength(Int64)

    var description: String {
        switch self {
        case .sentAlready: "it can be sent only once"
        case .tooShort(let count, let length): "it ended after \(count) of \(length) bytes"
        case .tooLong: "it has more bytes than were announced"
        case .negativeLength(let length): "its length is \(length)"
        }
    }
}

extension HTTPRequest.Body {
    /// Whether the body can be sent again.
    package var isRepeatable: Bool {
        if case .stream(let stream) = self { stream.isRepeatable } else { true }
    }
}
