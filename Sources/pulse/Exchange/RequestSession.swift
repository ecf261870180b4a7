import Foundation
import NetNodes

/// The name of a session: one word that is the name of a folder and no path.
struct SessionName: Equatable {
    let text: String

    /// - Throws: `UsageError`.
    init(_ text: String, command: String) throws {
        guard text.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.\-]{0,63}/) != nil else {
            throw UsageError("pulse \(command): --session is a name of letters, digits, - and _, not \(text.quotedForMessage)")
        }
        self.text = text
    }
}

/// The state that a session keeps between requests: cookies, and headers for each host. Of two that run at once, the last to end is kept.
final class RequestSession: Sendable {
    /// The headers of one host.
    struct Header: Codable, Equatable {
        var name: String
        var value: String
    }

    let jar: CookieJar
    private let folder: URL
    private let origin: String
    private let headers: Lock<[String: [Header]]>

    /// Reads the session.
    ///
    /// - Throws: an error that names the file that cannot be read; it stays as it is.
    init(_ name: SessionName, for url: URL, _ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        guard let folder = InstalledFile.state("pulse/sessions/\(name.text)").url(environment) else {
            throw UsageError("pulse: --session needs the environment variable HOME")
        }
        self.folder = folder
        origin = "\(url.scheme?.lowercased() ?? "")://\(url.host()?.lowercased() ?? ""):\(url.effectivePort)"
        jar = try CookieJar(contentsOf: Self.cookies(folder))
        headers = Lock(try Self.headers(in: Self.headers(folder)))
    }

    /// Returns the headers of a request: the kept ones, which the given ones replace or remove. These are kept from now on, except for
    /// those that belong to one body or one version of a resource. The pairs of a given `Cookie` are kept as cookies.
    func adding(_ given: [RequestOptions.Header], to request: HTTPHeaders, for url: URL) -> HTTPHeaders {
        let kept = headers.withLock { headers in
            var kept = headers[origin] ?? []
            for header in given where Self.isKept(header.name) {
                kept.removeAll { $0.name.lowercased() == header.name.lowercased() }
            }
            for case (let name, let value?) in given.map({ ($0.name, $0.value) }) where Self.isKept(name) {
                kept.append(Header(name: name, value: value))
            }
            headers[origin] = kept.isEmpty ? nil : kept
            return kept
        }
        for header in given where header.name.lowercased() == "cookie" {
            for pair in (header.value ?? "").split(separator: ";") {
                if let cookie = HTTPResponse.Cookie("\(pair); Path=/") { jar.set(cookie, from: url) }
            }
        }
        return request.merging(HTTPHeaders(kept.map { HTTPHeaders.Field(name: $0.name, value: $0.value) }))
    }

    /// Keeps the credentials of `-u`.
    func keep(authorization value: String) {
        headers.withLock { headers in
            headers[origin, default: []].removeAll { $0.name.lowercased() == "authorization" }
            headers[origin, default: []].append(Header(name: "Authorization", value: value))
        }
    }

    /// Whether the session has credentials for the host.
    var hasAuthorization: Bool {
        headers.withLock { $0[origin]?.contains { $0.name.lowercased() == "authorization" } == true }
    }

    /// Writes the session, into files that only their owner can read.
    ///
    /// - Throws: an error that names the file.
    func save() throws {
        let file = Self.headers(folder)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            try encoder.encode(headers.withLock { $0 }).writeWhole(to: file)
        } catch {
            throw SessionFault(isOutput: true, errorDescription: "\(file.path) cannot be written: \(reasonOfFileError(error))")
        }
        try jar.write(to: Self.cookies(folder))
    }

    private static func cookies(_ folder: URL) -> URL { folder.appending(path: "cookies") }

    private static func headers(_ folder: URL) -> URL { folder.appending(path: "headers.json") }

    private static func headers(in file: URL) throws -> [String: [Header]] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        do {
            return try JSONDecoder().decode([String: [Header]].self, from: Data(contentsOf: file))
        } catch is DecodingError {
            throw SessionFault(errorDescription: "\(file.path) does not have the headers of a session")
        } catch {
            throw SessionFault(errorDescription: "\(file.path) cannot be read: \(reasonOfFileError(error))")
        }
    }

    private static func isKept(_ name: String) -> Bool {
        let name = name.lowercased()
        return name != "cookie" && name != "host" && name != "range" && !name.hasPrefix("content-") && !name.hasPrefix("if-")
    }
}

/// The reason why a session cannot be read or written.
struct SessionFault: LocalizedError {
    /// Whether it could not be written.
    var isOutput = false
    let errorDescription: String?
}
