import Foundation

/// The file of a ``CookieJar``: a line of JSON for each cookie, in the order in which they were set.
enum CookieFile {
    /// The most bytes of a file. A jar with its usual limits has less than 20 MB.
    private static let longest = 64 * 1024 * 1024

    static func cookies(in file: URL) throws(CookieJar.FileFailure) -> [CookieJar.Cookie] {
        let content: Data
        do {
            guard let data = try Data(regularFile: file, limit: longest) else {
                throw CookieJar.FileFailure.unreadable(path: file.path, reason: "it is not a file of at most \(longest) bytes")
            }
            content = data
        } catch let error as CookieJar.FileFailure {
            throw error
        } catch {
            if (error as? POSIXError)?.code == .ENOENT { return [] }
            throw .unreadable(path: file.path, reason: reasonOfFileError(error))
        }
        var cookies: [CookieJar.Cookie] = []
        for (index, line) in content.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() where !line.isEmpty {
            guard let cookie = CookieJar.Cookie(line: line) else { throw .brokenLine(path: file.path, number: index + 1) }
            cookies.append(cookie)
        }
        return cookies
    }

    static func write(_ cookies: [CookieJar.Cookie], to file: URL) throws(CookieJar.FileFailure) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            var content = Data()
            for cookie in cookies { content += try encoder.encode(Line(cookie)) + [0x0A] }
            try content.writeWhole(to: file)
        } catch {
            throw .unwritable(path: file.path, reason: reasonOfFileError(error))
        }
    }

    /// The members of a line; times are in seconds since 1970.
    fileprivate struct Line: Codable {
        var name: String
        var value: String
        var domain: String
        var hostOnly: Bool
        var path: String
        var expires: Double?
        var secure: Bool
        var httpOnly: Bool
        var sameSite: String?
        var created: Double

        init(_ cookie: CookieJar.Cookie) {
            (name, value, domain, hostOnly, path) = (cookie.name, cookie.value, cookie.domain, cookie.isHostOnly, cookie.path)
            (expires, created) = (cookie.expires?.timeIntervalSince1970, cookie.created.timeIntervalSince1970)
            (secure, httpOnly, sameSite) = (cookie.isSecure, cookie.isHTTPOnly, cookie.sameSite?.rawValue)
        }

        /// Whether the cookie can be sent: an edited file must not make further fields.
        var isSendable: Bool {
            func isText(_ text: String, without excluded: String) -> Bool {
                text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F || $0 == 0x09) && !excluded.utf8.contains($0) }
            }
            return !name.isEmpty && isText(name, without: ";=") && isText(value, without: ";") && path.hasPrefix("/")
                && isText(path, without: ";") && !domain.isEmpty && isText(domain, without: "/;= \t") && domain == domain.lowercased()
        }
    }
}

extension CookieJar.Cookie {
    /// - Returns: `nil` if the line is no cookie.
    fileprivate init?(line: Data) {
        guard let line = try? JSONDecoder().decode(CookieFile.Line.self, from: line), line.isSendable else { return nil }
        self.init(
            name: line.name, value: line.value, domain: line.domain, isHostOnly: line.hostOnly, path: line.path,
            expires: line.expires.map { Date(timeIntervalSince1970: $0) }, isSecure: line.secure, isHTTPOnly: line.httpOnly,
            sameSite: line.sameSite.flatMap { CookieJar.SameSite(rawValue: $0) }, created: Date(timeIntervalSince1970: line.created))
    }
}

extension CookieJar {
    /// The reason why the file of a ``CookieJar`` cannot be read or written. It contains nothing of a cookie.
    public enum FileFailure: Error, Equatable, Sendable {
        /// A line is no cookie. The file stays as it is: mend or remove the line.
        case brokenLine(path: String, number: Int)
        /// The file cannot be read.
        case unreadable(path: String, reason: String)
        /// The file cannot be written; the previous one is still there.
        case unwritable(path: String, reason: String)
    }
}

extension CookieJar.FileFailure: LocalizedError, CustomStringConvertible, RedactedError {
    public var description: String {
        switch self {
        case .brokenLine(let path, let number): "Line \(number) of \(path) is not a cookie."
        case .unreadable(let path, let reason): "The cookies in \(path) cannot be read: \(reason)."
        case .unwritable(let path, let reason): "The cookies cannot be written to \(path): \(reason)."
        }
    }

    public var errorDescription: String? { description }
}
