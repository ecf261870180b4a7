public import Foundation

/// The fields and files of one request, in order.
///
/// ```swift
/// let form = MultipartForm([.field("title", "Holidays"), .file("photo", photoURL, type: "image/jpeg")])
/// ```
///
/// Source: [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578).
public struct MultipartForm: Sendable, Equatable {
    /// One field or file.
    public struct Part: Sendable, Equatable {
        /// The content of a part.
        public typealias Content = HTTPRequest.Body.Piece

        /// The name of the field.
        public var name: String
        /// The content.
        public var content: Content
        /// The file name for the server; `nil` for a plain field.
        public var fileName: String?
        /// The media type; `nil` means none.
        public var type: String?

        /// Creates a part.
        public init(name: String, content: Content, fileName: String? = nil, type: String? = nil) {
            self.name = name
            self.content = content
            self.fileName = fileName
            self.type = type
        }

        /// Creates a text field.
        public static func field(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .data(Data(text.utf8)))
        }

        /// Creates a part with bytes that the server receives as a file.
        public static func data(_ name: String, _ data: Data, fileName: String, type: String = "application/octet-stream") -> Part {
            Part(name: name, content: .data(data), fileName: fileName, type: type)
        }

        /// Creates a part with a file on disk, by default under its own name.
        public static func file(_ name: String, _ url: URL, fileName: String? = nil, type: String = "application/octet-stream") -> Part {
            Part(name: name, content: .file(url), fileName: fileName ?? url.lastPathComponent, type: type)
        }
    }

    /// The parts in the order in which they are sent.
    public var parts: [Part]

    /// Creates a form of these parts, in this order.
    public init(_ parts: [Part]) {
        self.parts = parts
    }
}

extension MultipartForm {
    /// The reason why a form cannot be sent. Nothing was sent.
    public enum Failure: Error, Equatable, Sendable {
        /// A form has at least one part.
        case noParts
        /// A media type with a line break or another control character would end the part's head.
        case invalidType(part: String)
    }
}

extension MultipartForm.Failure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .noParts: "A form without a single part cannot be sent."
        case .invalidType(let part): "The media type of the part \"\(part)\" contains an invalid character."
        }
    }

    public var errorDescription: String? { description }
}

extension MultipartForm: RequestBodyConvertible {
    /// Returns the encoded form; the encoding of the request is ignored. Files are checked, but not read.
    ///
    /// - Throws: ``MultipartForm/Failure``, or `TransportError.unreadableBody(path:reason:)` for a file that cannot be read.
    public func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody {
        try encoded(boundary: freshBoundary())
    }

    /// - Parameter boundary: a text that must not occur in the parts.
    func encoded(boundary: String) throws -> HTTPRequest.EncodedBody {
        guard !parts.isEmpty else { throw Failure.noParts }
        var pieces: [HTTPRequest.Body.Piece] = []
        var text = Data()
        for part in parts {
            text += Data("--\(boundary)\r\n".utf8) + (try part.head()) + Data("\r\n".utf8)
            switch part.content {
            case .data(let data): text += data
            case .file(let url):
                _ = try lengthOfRegularFile(url)
                pieces += [.data(text), .file(url)]
                text = Data()
            }
            text += Data("\r\n".utf8)
        }
        pieces.append(.data(text + Data("--\(boundary)--\r\n".utf8)))
        var body = HTTPRequest.EncodedBody(body: .pieces(pieces), contentType: "multipart/form-data; boundary=\(boundary)")
        body.hasOwnType = true
        return body
    }

    /// Returns a boundary that occurs in no part in memory. A collision with a file is as unlikely as guessing a key of 128 bits.
    private func freshBoundary() -> String {
        while true {
            let digits = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
            let boundary = "netnodes-\(digits)"
            if !parts.contains(where: { $0.contains(Data(boundary.utf8)) }) { return boundary }
        }
    }
}

extension MultipartForm.Part {
    fileprivate func contains(_ bytes: Data) -> Bool {
        guard case .data(let data) = content else { return false }
        return data.range(of: bytes) != nil
    }

    fileprivate func head() throws(MultipartForm.Failure) -> Data {
        var head = "Content-Disposition: form-data; name=\"\(name.escapedForDisposition)\""
        if let fileName { head += "; filename=\"\(fileName.escapedForDisposition)\"" }
        head += "\r\n"
        guard let type else { return Data(head.utf8) }
        guard !type.isEmpty, type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            throw .invalidType(part: name.escapedForDisplay)
        }
        return Data((head + "Content-Type: \(type)\r\n").utf8)
    }
}

extension String {
    /// The name escaped as browsers do, so that nothing can terminate a name or a line.
    ///
    /// Source: [HTML, Multipart form data](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
    fileprivate var escapedForDisposition: String {
        unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "%22"
            case "\r": "%0D"
            case "\n": "%0A"
            case "\0": "%00"
            default: String(scalar)
            }
        }.joined()
    }
}
