public import Foundation

/// Recorded requests and responses, which a ``RecordingTransport`` writes and a ``ReplayTransport`` plays back: a JSON file that you can
/// read and edit.
public struct Recording: Sendable, Equatable, Codable {
    /// A body. Text is recorded as text.
    public enum Body: Sendable, Equatable {
        /// A body that is valid UTF-8.
        case text(String)
        /// Any other body.
        case bytes(Data)
        /// A number of bytes whose content is not recorded, because it is binary and could contain secrets.
        case omitted(bytes: Int)

        /// The bytes; zeros in place of bytes that are not recorded.
        public var data: Data {
            switch self {
            case .text(let text): Data(text.utf8)
            case .bytes(let data): data
            case .omitted(let count): Data(count: count)
            }
        }

        /// Creates a body, as text if the bytes are UTF-8.
        public init(_ data: Data) {
            self = String(validating: data, as: UTF8.self).map { .text($0) } ?? .bytes(data)
        }
    }

    /// The outcome of a transfer.
    public enum Ending: Sendable, Equatable {
        /// The response was complete.
        case complete
        /// The remaining part was not received; on replay nothing follows.
        case open
        /// The transfer failed; `kind` is the name of a case of `TransportError`.
        case failed(kind: String, reason: String)
    }

    /// One request and its response.
    public struct Exchange: Sendable, Equatable {
        /// The method of the request.
        public var method: String
        /// The URL of the request.
        public var url: String
        /// The header fields of the request.
        public var requestHeaders: HTTPHeaders
        /// The body of the request, if it was in memory.
        public var requestBody: Body?
        /// The response without its body; `nil` if none was received.
        public var head: HTTPResponse.Head?
        /// The received part of the response's body.
        public var body: Body
        /// The outcome of the transfer.
        public var ending: Ending

        /// Creates an exchange.
        public init(
            method: String, url: String, requestHeaders: HTTPHeaders = [:], requestBody: Body? = nil, head: HTTPResponse.Head?,
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

    /// The exchanges, in the order of their requests.
    public var exchanges: [Exchange]

    /// Creates a recording of these exchanges.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }
}

extension Recording {
    /// The reason why a recording cannot be used.
    public enum Failure: Error, Equatable, Sendable {
        /// The file cannot be read.
        case unreadable(path: String, reason: String)
        /// The file cannot be written.
        case unwritable(path: String, reason: String)
        /// The file is not a recording.
        case malformed(reason: String)
        /// The recording was written by a later version.
        case unsupportedVersion(Int)
        /// Nothing was recorded for this request, or everything recorded for it has been played.
        case notRecorded(method: String, url: String)
    }
}

extension Recording.Failure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "The recording \(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason): "The recording \(path) cannot be written: \(reason)."
        case .malformed(let reason): "This is not a recording: \(reason)."
        case .unsupportedVersion(let version): "The recording has version \(version), which is not supported."
        case .notRecorded(let method, let url): "There is no response to \(method) \(url) in the recording."
        }
    }

    public var errorDescription: String? { description }
}

extension Recording {
    static let version = 1

    /// Reads a recording.
    ///
    /// - Throws: ``Recording/Failure``.
    public init(contentsOf file: URL) throws {
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw Failure.unreadable(path: file.path, reason: reasonOfFileError(error))
        }
        try self.init(data: data)
    }

    /// Parses the content of a file.
    ///
    /// - Throws: ``Recording/Failure/malformed(reason:)`` or ``Recording/Failure/unsupportedVersion(_:)``.
    public init(data: Data) throws {
        do { self = try data.decodeJSON(Recording.self, using: JSONDecoder()) } catch let error as Failure { throw error } catch {
            throw Failure.malformed(reason: "\(error)".trimmingSuffix("."))
        }
    }

    /// Writes the recording atomically, so that only its owner can read it.
    ///
    /// - Throws: ``Recording/Failure/unwritable(path:reason:)``.
    public func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do { try encoder.encode(self).writeWhole(to: file) } catch {
            throw Failure.unwritable(path: file.path, reason: reasonOfFileError(error))
        }
    }
}

extension TransportError {
    /// The recorded form of this error.
    var recorded: Recording.Ending {
        .failed(kind: Mirror(reflecting: self).children.first?.label ?? "other", reason: description.trimmingSuffix("."))
    }

    /// Creates the error from its recorded form.
    init(recorded kind: String, reason: String, url: URL) {
        let place = redacted(url)
        switch kind {
        case "cannotFindHost": self = .cannotFindHost(url.plainHost ?? "", url: place)
        case "cannotConnect": self = .cannotConnect(url: place, reason: reason)
        case "networkUnreachable": self = .networkUnreachable(url: place)
        case "timedOut": self = .timedOut(.total, after: .zero, url: place)
        case "secureConnectionFailed": self = .secureConnectionFailed(url: place, reason: reason)
        case "connectionLost": self = .connectionLost(url: place, reason: reason)
        case "incompleteBody": self = .incompleteBody(url: place, received: 0, reason: reason)
        case "noResponse": self = .noResponse
        case "malformedResponse": self = .malformedResponse(url: place, reason: reason)
        case "undecodableBody": self = .undecodableBody(url: place, reason: reason)
        default: self = .other(code: 0, reason: reason, url: place)
        }
    }
}
