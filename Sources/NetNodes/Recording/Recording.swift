public import Foundation

/// Requests and what came back, as ``RecordingTransport`` noted them and ``ReplayTransport`` plays them: a file of JSON that a person can read
/// and change.
public struct Recording: Sendable, Equatable, Codable {
    /// A body: text where it is text.
    public enum Body: Sendable, Equatable {
        case text(String)
        case bytes(Data)
        /// So many bytes, which are not in the recording: no text, and nobody knows what is in them.
        case omitted(bytes: Int)

        /// The bytes; zeros for those that are not in the recording.
        public var data: Data {
            switch self {
            case .text(let text): Data(text.utf8)
            case .bytes(let data): data
            case .omitted(let count): Data(count: count)
            }
        }

        /// Text where the bytes are UTF-8.
        public init(_ data: Data) {
            self = String(validating: data, as: UTF8.self).map { .text($0) } ?? .bytes(data)
        }
    }

    /// How a transfer ended.
    public enum Ending: Sendable, Equatable {
        /// The response was complete.
        case complete
        /// Nobody wanted the rest; replayed, nothing follows.
        case open
        /// It failed; `kind` is the name of a case of ``TransportError``.
        case failed(kind: String, reason: String)
    }

    /// One request and what came back.
    public struct Exchange: Sendable, Equatable {
        /// The method of the request.
        public var method: String
        /// The URL of the request.
        public var url: String
        /// The header fields of the request.
        public var requestHeaders: HTTPHeaders
        /// The body of the request, where it was in memory.
        public var requestBody: Body?
        /// The response without its body; `nil` if none began.
        public var head: HTTPResponseHead?
        /// What came of the response's body.
        public var body: Body
        /// How it ended.
        public var ending: Ending

        public init(
            method: String, url: String, requestHeaders: HTTPHeaders = [:], requestBody: Body? = nil, head: HTTPResponseHead?,
            body: Body = .text(""), ending: Ending = .complete
        ) {
            self.method = method
            self.url = url
            self.requestHeaders = requestHeaders
            self.requestBody = requestBody
            self.head = head
            self.body = body
            self.ending = ending
        }
    }

    /// In the order in which the requests were sent.
    public var exchanges: [Exchange]

    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }
}

/// Why a recording cannot be used.
public enum RecordingError: Error, Equatable, Sendable {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file cannot be written.
    case unwritable(path: String, reason: String)
    /// What is in the file is no recording.
    case malformed(reason: String)
    /// The recording was made by a later version.
    case unsupportedVersion(Int)
    /// Nothing was recorded for this request, or all of it was played.
    case notRecorded(method: String, url: String)
}

extension RecordingError: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "The recording \(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason): "The recording \(path) cannot be written: \(reason)."
        case .malformed(let reason): "This is not a recording: \(reason)."
        case .unsupportedVersion(let version): "The recording has version \(version), which is later than is known here."
        case .notRecorded(let method, let url): "There is no response to \(method) \(url) in the recording."
        }
    }

    public var errorDescription: String? { description }
}

extension Recording {
    static let version = 1

    /// Reads a recording.
    ///
    /// - Throws: ``RecordingError``.
    public init(contentsOf file: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw RecordingError.unreadable(path: file.path, reason: reasonOfFileError(error))
        }
        try self.init(data: data)
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``RecordingError/malformed(reason:)`` or ``RecordingError/unsupportedVersion(_:)``.
    public init(data: Data) throws {
        do { self = try data.decodeJSON(Recording.self, using: JSONDecoder()) } catch let error as RecordingError { throw error } catch {
            throw RecordingError.malformed(reason: "\(error)".trimmingSuffix("."))
        }
    }

    /// Writes the recording, as a whole or not at all, so that only its owner can read it.
    ///
    /// - Throws: ``RecordingError/unwritable(path:reason:)``.
    public func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try encoder.encode(self).writeWhole(to: file) } catch {
            throw RecordingError.unwritable(path: file.path, reason: reasonOfFileError(error))
        }
    }
}

extension TransportError {
    /// What a recording says of this error.
    var recorded: Recording.Ending {
        .failed(kind: Mirror(reflecting: self).children.first?.label ?? "other", reason: description.trimmingSuffix("."))
    }

    /// The error that a recording tells of.
    init(recorded kind: String, reason: String, url: URL) {
        let place = redacted(url)
        switch kind {
        case "cannotFindHost": self = .cannotFindHost(url.host() ?? "", url: place)
        case "cannotConnect": self = .cannotConnect(url: place, reason: reason)
        case "networkUnreachable": self = .networkUnreachable(url: place)
        case "timedOut": self = .timedOut(.total, after: .zero, url: place)
        case "secureConnectionFailed": self = .secureConnectionFailed(url: place, reason: reason)
        case "connectionLost": self = .connectionLost(url: place, reason: reason)
        case "incompleteBody": self = .incompleteBody(url: place, received: 0, reason: reason)
        case "noResponse": self = .noResponse
        case "malformedResponse": self = .malformedResponse(url: place, reason: reason)
        default: self = .other(code: 0, reason: reason, url: place)
        }
    }
}
