import Foundation
import NetNodes
import SystemSources

/// A request with all inputs that had to be requested or read first: a password, standard input.
struct PreparedRequest: Sendable {
    let url: URL
    let method: HTTPRequest.Method
    /// The given headers, and those that follow from the flags, which the given ones replace.
    let headers: HTTPHeaders
    let body: RequestData?
    let timeouts: HTTPRequest.Timeouts
    let redirects: HTTPRequest.Redirects
    let retries: Int
    var session: RequestSession?
}

extension RequestOptions {
    /// Asks for the password and reads standard input, if the request needs them.
    ///
    /// - Parameters:
    ///   - idleTimeout: the longest time without a byte from the server that the transport allows.
    ///   - decodesBody: whether the body may be compressed, and is decompressed. Otherwise its bytes are those that the server sends.
    /// - Throws: `UsageError` without a terminal to ask on; `CancellationError` if the user declines.
    func prepared(idleTimeout: Duration?, decodesBody: Bool = true) throws -> PreparedRequest {
        var headers = HTTPHeaders([HTTPHeaders.Field(name: "User-Agent", value: "pulse/\(Streams.version)")])
        if !decodesBody { headers["Accept-Encoding"] = "identity" }
        let body = try content.map { try RequestData($0) }
        headers["Content-Type"] = body?.type
        if body?.isJSON == true { headers["Accept"] = "\(MediaType.json), */*;q=0.5" }
        let session = try self.session.map { try RequestSession($0, for: url) }
        if !self.headers.contains(where: { $0.name.lowercased() == "authorization" }), let user = try credentials(unless: session) {
            let password = try user.password ?? PasswordPrompt.ask("Password of \(user.name) for \(url.host() ?? ""): ")
            headers = headers.merging(.basicAuthorization(user: user.name, password: password))
            if self.user != nil, let value = headers["Authorization"] { session?.keep(authorization: value) }
        }
        if let session { headers = session.adding(self.headers, to: headers, for: url) }
        let given = self.headers.compactMap { header in header.value.map { HTTPHeaders.Field(name: header.name, value: $0) } }
        return PreparedRequest(
            url: url, method: HTTPRequest.Method(rawValue: method),
            headers: headers.merging(HTTPHeaders(given)), body: body,
            timeouts: HTTPRequest.Timeouts(connect: connectTimeout, idle: idleTimeout, total: maximumTime),
            redirects: redirects, retries: retries, session: session
        )
    }

    /// Returns the user of the flags, or else the one in `.netrc`, unless the session has one.
    private func credentials(unless session: RequestSession?) throws -> Credentials? {
        if let user { return user }
        guard let netrc, session?.hasAuthorization != true, let host = url.host() else { return nil }
        return try Netrc(contentsOf: netrc).credentials(of: host)
    }
}

/// The body of a request, ready to be sent. Files are read while they are sent.
enum RequestData: RequestBodyConvertible {
    case body(HTTPRequest.Body, type: String)
    case form(MultipartForm)

    init(_ content: RequestContent) throws {
        switch content {
        case .form(let parts): self = .form(MultipartForm(parts))
        case .upload(.file(let file)) where file.isRegularFile:
            self = .body(.file(file), type: MediaType.ofFile(file) ?? MediaType.bytes)
        case .upload(.file(let pipe)): self = .body(.stream(pipe.contents), type: MediaType.bytes)
        case .upload: self = .body(.stream(URL(filePath: "/dev/stdin").contents), type: MediaType.bytes)
        case .pieces(let pieces, let type):
            let resolved = try pieces.map { try $0.resolved() }
            var type = type
            if type == nil, case .data(let data)? = resolved.first {
                type = (try? JSON(parsing: data)) == nil ? MediaType.form : MediaType.json
            }
            self = .body(HTTPRequest.Body(joining: resolved), type: type ?? MediaType.form)
        }
    }

    /// The media type; `nil` if the encoding adds it.
    var type: String? {
        if case .body(_, let type) = self { type } else { nil }
    }

    var isJSON: Bool { type == MediaType.json }

    func encoded(_ encoding: HTTPRequest.Encoding) throws -> HTTPRequest.EncodedBody {
        switch self {
        case .body(let body, _): HTTPRequest.EncodedBody(body: body)
        case .form(let form): try form.encoded(encoding)
        }
    }
}

extension RequestContent.Piece {
    fileprivate func resolved() throws -> HTTPRequest.Body.Piece {
        switch self {
        case .text(let text): .data(Data(text.utf8))
        case .bytes(let data): .data(data)
        case .file(let file): .file(file)
        // Its length must be known before the first byte is sent.
        case .standardInput: .data(try FileHandle.standardInput.contents(of: "/dev/stdin"))
        }
    }
}

extension URL {
    /// A source that is read once, while it is sent.
    fileprivate var contents: HTTPRequest.BodyStream { HTTPRequest.BodyStream(SystemDisk().chunks(of: self).values) }
}

extension HTTPRequest.Body {
    fileprivate init(joining pieces: [Piece]) {
        let data = pieces.compactMap { if case .data(let data) = $0 { data } else { nil } }
        if data.count == pieces.count {
            self = .data(Data(data.joined()))
        } else if pieces.count == 1, case .file(let file) = pieces[0] {
            self = .file(file)
        } else {
            self = .pieces(pieces)
        }
    }
}
