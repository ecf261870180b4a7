import Foundation
import NetNodes

/// The flags of a request's body and query. A message names a flag by its number, because any part of its value may be a secret, except for
/// the name of a file.
extension ArgumentReader {
    /// Returns the body; `nil` without one.
    func content(command: String) throws -> RequestContent? {
        let given = [["--data", "--data-raw", "--data-urlencode"], ["--json"], ["--form"]].filter { $0.contains(where: has) }
        guard given.count <= 1 else {
            throw UsageError("pulse \(command): either \(given.compactMap(\.first).joined(separator: " or ")), not both")
        }
        switch given.first?.first {
        case "--data": return try dataContent(command: command)
        case "--json": return try jsonContent(command: command)
        case "--form":
            return .form(try allValues("--form").enumerated().map { try Self.part($1, "pulse \(command): --form \($0 + 1)") })
        default: return nil
        }
    }

    /// Returns the encoded items of `--query`.
    func query(command: String) throws -> [String] {
        try allValues("--query").enumerated().map { try Self.encodedField($1, "pulse \(command): --query \($0 + 1)") }
    }

    private func dataContent(command: String) throws -> RequestContent {
        var fields = 0
        let pieces: [RequestContent.Piece] = try given.compactMap { name, value in
            switch name {
            case "--data": return try Self.piece(value)
            case "--data-raw": return .text(value)
            case "--data-urlencode":
                fields += 1
                return .text(try Self.encodedField(value, "pulse \(command): --data-urlencode \(fields)"))
            default: return nil
            }
        }
        return .pieces(Array(pieces.map { [$0] }.joined(separator: [.text("&")])), type: Self.type(of: pieces))
    }

    /// Returns the type of the body: one file is judged by its name, one text or standard input by its content. Several pieces are a form.
    private static func type(of pieces: [RequestContent.Piece]) -> String? {
        guard pieces.count == 1, let piece = pieces.first else { return MediaType.form }
        switch piece {
        case .text(let text): return (try? JSON(parsing: text)) == nil ? MediaType.form : MediaType.json
        case .file(let file): return MediaType.ofFile(file) ?? MediaType.form
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
        return .file(try file(String(text.dropFirst())))
    }

    /// - Throws: `TransportError.unreadableBody`, with the exit code of curl.
    private static func file(_ path: String) throws -> URL {
        guard access(path, R_OK) == 0 else { throw TransportError.unreadableBody(path: path, reason: String(cString: strerror(errno))) }
        return URL(filePath: path)
    }

    /// Parses `NAME=TEXT` or `NAME=@FILE`; `;type=TYPE` and `;filename=NAME` may follow a file.
    private static func part(_ text: String, _ place: String) throws -> MultipartForm.Part {
        guard let (name, value) = text.separated(by: "="), !name.isEmpty else {
            throw UsageError("\(place) is not of the form NAME=VALUE or NAME=@FILE")
        }
        guard value.hasPrefix("@") else { return .field(name, value) }
        let words = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        let file = try file(words[0])
        var part = MultipartForm.Part.file(name, file, type: MediaType.ofFile(file) ?? "application/octet-stream")
        for word in words.dropFirst() {
            switch word.separated(by: "=") {
            case ("type", let type)?: part.type = type
            case ("filename", let fileName)?: part.fileName = fileName
            default: throw UsageError("\(place) has something other than ;type=TYPE or ;filename=NAME after the file")
            }
        }
        return part
    }

    private static func encodedField(_ text: String, _ place: String) throws -> String {
        guard let (name, value) = text.separated(by: "="), !name.isEmpty else { throw UsageError("\(place) is not of the form NAME=VALUE") }
        return "\(name.encodedForForm)=\(value.encodedForForm)"
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

/// The media types of bodies.
enum MediaType {
    static let form = "application/x-www-form-urlencoded"
    static let json = "application/json"

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
    fileprivate func separated(by separator: Character) -> (String, String)? {
        guard let place = firstIndex(of: separator) else { return nil }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }

    /// The text with everything encoded except characters that never have a meaning in a URL.
    ///
    /// Source: [RFC 3986, 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
    fileprivate var encodedForForm: String {
        let kept = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return addingPercentEncoding(withAllowedCharacters: kept) ?? ""
    }
}
