internal import Bytes
import Foundation
import NetNodes

/// The flags of a request's body and query. A message names a flag by its number, because any part of its value may be a secret, except for
/// the name of a file.
extension ArgumentReader {
    /// Returns the body; `nil` without one, also where the data is part of the query.
    func content(command: String) throws -> RequestContent? {
        let given = BodyFlags.all.filter { $0.contains(where: has) }
        guard given.count <= 1 else {
            throw UsageError("pulse \(command): either \(given.compactMap(\.first).joined(separator: " or ")), not both")
        }
        guard !has("--get") else {
            guard given.isEmpty || given == [BodyFlags.data] else {
                throw UsageError("pulse \(command): --get sends --data in the query only")
            }
            return nil
        }
        switch given.first {
        case BodyFlags.data: return try dataContent()
        case BodyFlags.json: return try jsonContent(command: command)
        case BodyFlags.form: return .form(try parts(command: command))
        case BodyFlags.upload: return .upload(try upload(command: command))
        default: return nil
        }
    }

    /// Returns the encoded items of `--query`, and the data with `--get`.
    func query(command: String) throws -> [String] {
        let items = try allValues("--query").enumerated().map { try Self.encodedField($1, "pulse \(command): --query \($0 + 1)") }
        return has("--get") ? items + (try pieces().map { try $0.text("pulse \(command): --get") }) : items
    }

    private func dataContent() throws -> RequestContent {
        let pieces = try pieces()
        let type = has("--data-urlencode") ? MediaType.form : Self.type(of: pieces)
        return .pieces(Array(pieces.map { [$0] }.joined(separator: [.text("&")])), type: type)
    }

    private func pieces() throws -> [RequestContent.Piece] {
        try given.compactMap { name, value in
            switch name {
            case "--data": try Self.piece(value)
            case "--data-raw": .text(value)
            case "--data-urlencode": .text(try Self.encodedData(value))
            default: nil
            }
        }
    }

    private func upload(command: String) throws -> RequestContent.Piece {
        let paths = allValues("--upload-file")
        guard paths.count == 1 else { throw UsageError("pulse \(command): one file expected with --upload-file, not \(paths.count)") }
        return paths[0] == "-" ? .standardInput : .file(try Self.file(paths[0]))
    }

    /// Returns the type of the body: one file is judged by its name, one text or standard input by its content. Several pieces are a form.
    private static func type(of pieces: [RequestContent.Piece]) -> String? {
        guard pieces.count == 1, let piece = pieces.first else { return MediaType.form }
        switch piece {
        case .text(let text): return (try? JSON(parsing: text)) == nil ? MediaType.form : MediaType.json
        case .file(let file): return MediaType.ofFile(file) ?? MediaType.form
        case .bytes: return MediaType.form
        case .standardInput: return nil
        }
    }

    private func jsonContent(command: String) throws -> RequestContent {
        let values = allValues("--json")
        let place = { (index: Int) in "pulse \(command): --json \(index + 1)" }
        if values.count == 1, let text = values.first, let first = text.first, "{[\"@-".contains(first) {
            let piece = try Self.piece(text)
            if case .text = piece, (try? JSON(parsing: text)) == nil { throw UsageError("\(place(0)) is not JSON") }
            return .pieces([piece], type: MediaType.json)
        }
        let members = try values.enumerated().map { try Self.member($1, place($0)) }
        return .pieces([.text(JSON.object(JSON.Object(members)).text())], type: MediaType.json)
    }

    /// Parses `NAME=TEXT` or `NAME:=JSON`; after either `=`, `@FILE` names a file.
    private static func member(_ text: String, _ place: String) throws -> (String, JSON) {
        guard let (name, value) = text.separated(by: "="), !name.isEmpty, name != ":" else {
            throw UsageError("\(place) is not of the form NAME=TEXT or NAME:=JSON")
        }
        let content = try value.hasPrefix("@") ? contents(of: String(value.dropFirst()), place) : value
        guard name.hasSuffix(":") else { return (name, .string(content)) }
        guard let json = try? JSON(parsing: content) else { throw UsageError("\(place) is not JSON after NAME:=") }
        return (String(name.dropLast()), json)
    }

    private static func contents(of path: String, _ place: String) throws -> String {
        let data = try FileHandle.reading(path).contents(of: path)
        guard let text = String(validating: data, as: UTF8.self) else { throw UsageError("\(place) names a file that is not text") }
        return text
    }

    private static func piece(_ text: String) throws -> RequestContent.Piece {
        if text == "-" || text == "@-" { return .standardInput }
        guard text.hasPrefix("@") else { return .text(text) }
        let file = try file(String(text.dropFirst()))
        // A pipe, such as the shell's `<(command)`, has no length.
        return file.isRegularFile ? .file(file) : .bytes(try FileHandle.reading(file.path).contents(of: file.path))
    }

    /// - Throws: `TransportError.unreadableBody`, with the exit code of curl.
    static func file(_ path: String) throws -> URL {
        let unreadable = { (code: Int32) in TransportError.unreadableBody(path: path, reason: String(cString: strerror(code))) }
        guard access(path, R_OK) == 0 else { throw unreadable(errno) }
        let file = URL(filePath: path)
        guard file.kind != S_IFDIR else { throw unreadable(EISDIR) }
        return file
    }

    /// Parses `NAME=DATA`, `=DATA`, `DATA`, `NAME@FILE` and `@FILE`. As in curl, a name may be encoded already.
    private static func encodedData(_ text: String) throws -> String {
        if let (name, value) = text.separated(by: "=") { return named(name, value.percentEncoded) }
        guard let (name, path) = text.separated(by: "@") else { return text.percentEncoded }
        return named(name, try FileHandle.reading(path).contents(of: path).escaped(keeping: \.isUnreserved))
    }

    private static func named(_ name: String, _ value: String) -> String {
        name.isEmpty ? value : "\(name.utf8.escaped { $0.isUnreserved || $0 == UInt8(ascii: "%") })=\(value)"
    }

    private static func encodedField(_ text: String, _ place: String) throws -> String {
        guard let (name, value) = text.separated(by: "="), !name.isEmpty else { throw UsageError("\(place) is not of the form NAME=VALUE") }
        return "\(name.percentEncoded)=\(value.percentEncoded)"
    }
}

extension FileHandle {
    /// Opens a file, or a pipe such as the shell's `<(command)`.
    ///
    /// - Throws: `TransportError.unreadableBody`.
    static func reading(_ path: String) throws -> FileHandle {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw TransportError.unreadableBody(path: path, reason: String(cString: strerror(errno)))
        }
        return file
    }

    /// Reads to the end.
    ///
    /// - Throws: `TransportError.unreadableBody`.
    func contents(of path: String) throws -> Data {
        do { return try readToEnd() ?? Data() } catch {
            throw TransportError.unreadableBody(path: path, reason: ErrorWording.sentence(error))
        }
    }
}

/// The flags of each kind of body, of which a request has one.
enum BodyFlags {
    static let data = ["--data", "--data-raw", "--data-urlencode"]
    static let json = ["--json"]
    static let form = ["--form", "--form-string"]
    static let upload = ["--upload-file"]
    static let all = [data, json, form, upload]
}

/// The media types of bodies.
enum MediaType {
    static let form = "application/x-www-form-urlencoded"
    static let json = "application/json"
    static let bytes = "application/octet-stream"

    /// Returns the type for the extension of a file name; `nil` if the extension is unknown.
    static func ofFile(_ file: URL) -> String? { byEnding[file.pathExtension.lowercased()] }

    private static let byEnding = [
        "json": json, "ndjson": "application/x-ndjson", "jsonl": "application/x-ndjson", "txt": "text/plain", "csv": "text/csv",
        "html": "text/html", "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml", "md": "text/markdown",
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "wasm": "application/wasm",
    ]
}

extension String {
    /// The text before and after the first separator; `nil` without one.
    func separated(by separator: Character) -> (String, String)? {
        guard let place = firstIndex(of: separator) else { return nil }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}

extension RequestContent.Piece {
    /// The text of a query: as in curl, without the line breaks of a file.
    fileprivate func text(_ place: String) throws -> String {
        let data: Data =
            switch self {
            case .text(let text): Data(text.utf8)
            case .bytes(let data): data
            case .file(let file): try FileHandle.reading(file.path).contents(of: file.path)
            case .standardInput: try FileHandle.standardInput.contents(of: "/dev/stdin")
            }
        guard let text = String(validating: data, as: UTF8.self) else { throw UsageError("\(place) names a file that is not text") }
        if case .text = self { return text }
        return text.filter { !$0.isNewline }
    }
}

extension URL {
    /// Whether it is a file with a length, or a link to one.
    var isRegularFile: Bool { kind == S_IFREG }

    fileprivate var kind: mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
