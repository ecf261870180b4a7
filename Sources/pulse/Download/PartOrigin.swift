import Foundation
import NetNodes

/// The origin of the bytes of an unfinished file. Only the same version of the same resource may continue them, and nothing may continue
/// those of a response that does not say its version.
struct PartOrigin {
    /// The salted digest of the URL: it can contain secrets, which do not belong on a disk.
    private let source: SaltedDigest
    /// The strong `ETag` or the `Last-Modified` of the response, for `If-Range`; `nil` if it cannot be continued.
    let validator: String?
    /// The length of the whole file; `nil` if the response did not state it.
    let total: Int64?

    /// - Parameter isRepeatable: whether the request can be sent again for the rest.
    init(_ head: HTTPResponse.Head, requested url: URL, isRepeatable: Bool = true) {
        source = SaltedDigest(of: url.absoluteString)
        validator = isRepeatable ? Self.validator(of: head) : nil
        total = head.expectedLength
    }

    /// Reads the record beside a file. Returns `nil` unless it is valid: a file of the caller that nobody else can read or write.
    init?(readingBeside path: String) {
        let file = URL(filePath: path + Self.ending)
        guard let data = try? Data(privateFile: file, limit: Self.largest), let text = String(data: data, encoding: .utf8) else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[3].isEmpty, let source = SaltedDigest(String(lines[0])) else { return nil }
        (self.source, validator, total) = (source, lines[1].isEmpty ? nil : String(lines[1]), Int64(lines[2]))
    }

    /// Whether the bytes come from this URL.
    func isOf(_ url: URL) -> Bool { source.isOf(url.absoluteString) }

    /// Whether a 206 continues these bytes after that position, or a 416 says that the file is complete. A server that ignores `If-Range`
    /// sends parts of the current version, whichever that is.
    ///
    /// Source: [RFC 9110, 15.3.7.3](https://www.rfc-editor.org/rfc/rfc9110#section-15.3.7.3). After `If-Range` only the `ETag` is certain
    /// to be repeated.
    func isContinued(by head: HTTPResponse.Head, at position: Int64) -> Bool {
        guard let validator, let range = head.contentRange, range.total == nil || total == nil || range.total == total else { return false }
        let hasTag = validator.hasPrefix("\"")
        let isSame = head.headers[hasTag ? "ETag" : "Last-Modified"].map { $0 == validator }
        guard head.status == 206 else { return range.first == nil && range.total == position && isSame ?? (total == position) }
        return range.first == position && isSame ?? !hasTag
    }

    func write(beside path: String, for target: URL) throws {
        do {
            try Data("\(source)\n\(validator ?? "")\n\(total.map(String.init) ?? "")\n".utf8)
                .writeWhole(to: URL(filePath: path + Self.ending))
        } catch {
            throw Download.Failure.unwritable(path: target.path, reason: reasonOfFileError(error))
        }
    }

    static func remove(beside path: String) {
        unlink(path + ending)
    }

    /// Returns the strong validator: a weak `ETag` does not promise equal bytes.
    private static func validator(of head: HTTPResponse.Head) -> String? {
        let tag = head.headers["ETag"]
        guard tag?.hasPrefix("\"") != false, let validator = tag ?? head.headers["Last-Modified"] else { return nil }
        // Otherwise no request to continue could be sent.
        return HTTPHeaders.Field(name: "If-Range", value: validator).isSendable ? validator : nil
    }

    private static let ending = ".origin"
    private static let largest = 65_536
}

extension HTTPResponse.Head {
    /// The first position, which a 416 does not have, and the total length: 5 and 10 of `Content-Range: bytes 5-9/10`.
    var contentRange: (first: Int64?, total: Int64?)? {
        guard let match = headers["Content-Range"]?.wholeMatch(of: /bytes (?:(\d{1,18})-\d{1,18}|\*)\/(\d{1,18}|\*)/) else { return nil }
        return (match.1.flatMap { Int64($0) }, Int64(match.2))
    }
}

/// A digest by which a text can be recognized, but not read. Its salt prevents that guessed texts are looked up in a table made in advance.
private struct SaltedDigest: CustomStringConvertible {
    private let salt: String
    private let digest: String

    /// Creates the digest of a text, with a new salt.
    init(of text: String) {
        salt = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
        digest = Self.digest(text, salt)
    }

    /// Reads the description of a digest; `nil` if it is none.
    init?(_ description: String) {
        let parts = description.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 64 else { return nil }
        (salt, digest) = (String(parts[0]), String(parts[1]))
    }

    var description: String { "\(salt) \(digest)" }

    func isOf(_ text: String) -> Bool { digest == Self.digest(text, salt) }

    private static func digest(_ text: String, _ salt: String) -> String { SHA256.hexadecimal(of: "\(salt) \(text)".utf8) }
}
