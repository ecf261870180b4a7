import Foundation
import NetNodes

/// What the bytes of an unfinished file are a part of. Only the same version of the same resource may continue them.
struct PartOrigin: Equatable {
    /// A hash of the URL: it can contain secrets, which do not belong on a disk.
    private let source: String
    /// The strong `ETag` or the `Last-Modified` of the response, for `If-Range`.
    let validator: String

    /// `nil` for a response that identifies no version.
    init?(_ head: HTTPResponseHead, requested url: URL) {
        guard let validator = Self.validator(of: head) else { return nil }
        (source, self.validator) = (Self.hash(url.absoluteString), validator)
    }

    /// Reads the record beside a file; `nil` without a valid one.
    init?(readingBeside path: String) {
        guard let text = try? String(contentsOfFile: path + Self.ending, encoding: .utf8), text.utf8.count <= Self.largest else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, !lines[1].isEmpty else { return nil }
        (source, validator) = (String(lines[0]), String(lines[1]))
    }

    /// Whether it is of this URL.
    func isOf(_ url: URL) -> Bool { source == Self.hash(url.absoluteString) }

    func write(beside path: String, for target: URL) throws {
        do {
            try Data("\(source)\n\(validator)\n".utf8).write(to: URL(filePath: path + Self.ending), options: .atomic)
        } catch {
            throw DownloadError.unwritable(path: target.path, reason: ErrorWording.sentence(error))
        }
    }

    static func remove(beside path: String) {
        unlink(path + ending)
    }

    /// A weak `ETag` does not promise equal bytes.
    private static func validator(of head: HTTPResponseHead) -> String? {
        if let tag = head.headers["ETag"] { return tag.hasPrefix("\"") ? tag : nil }
        return head.headers["Last-Modified"]
    }

    /// FNV-1a, which is the same in every process.
    private static func hash(_ text: String) -> String {
        String(text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }

    private static let ending = ".origin"
    private static let largest = 65_536
}
