internal import Bytes
internal import CLibcurl
import Foundation

/// Decompresses a body while it is received, as much at a time as its consumer takes. libcurl would decompress all bytes that it has read
/// at once, which may yield a thousand times as many, and copy the remaining ones at each pause. It is confined to the engine's thread.
final class GzipBody {
    /// The received bytes are not compressed, or damaged.
    struct Malformed: Error {}

    /// Whether the system can decompress: by zlib, which libcurl uses.
    static var isPossible: Bool { clibcurl_can_inflate() != 0 }

    /// The length of a piece, in bytes.
    private static let pieceLength = 16 * 1024

    private let inflater: OpaquePointer
    private let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: pieceLength)
    /// The bytes that were received and are not yet decompressed.
    private var input = ByteQueue()
    /// Whether zlib may still hold output for its input.
    private var isOutputFull = false

    init?() {
        guard let inflater = clibcurl_inflater_create() else { return nil }
        self.inflater = inflater
    }

    deinit {
        clibcurl_inflater_free(inflater)
        output.deallocate()
    }

    /// Whether there is nothing to decompress.
    var isDrained: Bool { input.isEmpty && !isOutputFull }

    /// Whether more bytes must be received to complete the body.
    var isIncomplete: Bool { clibcurl_inflater_is_within(inflater) != 0 }

    /// Adds received bytes.
    func add(_ bytes: UnsafeRawBufferPointer) { input.append(bytes) }

    /// Returns the next piece, which is valid until the next call and is empty if there is none.
    func next() throws(Malformed) -> UnsafeRawBufferPointer {
        var (used, made) = (0, 0)
        while made == 0, !isDrained {
            used = input.count
            made = output.count
            let code = input.rest.withUnsafeBufferPointer { clibcurl_inflate(inflater, $0.baseAddress, &used, output.baseAddress, &made) }
            guard code == 0, used + made > 0 || input.isEmpty else { throw Malformed() }
            input.take(atMost: used)
            isOutputFull = made == output.count
        }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made])
    }
}

extension GzipBody {
    /// Returns what decompresses the body of a response; `nil` if it is not compressed.
    static func decoder(of head: HTTPResponse.Head) throws(TransportError) -> GzipBody? {
        let coding = (head.headers["Content-Encoding"] ?? "").trimmingCharacters(in: .whitespaces).lowercased()
        switch coding {
        case "", "identity": return nil
        case "gzip", "x-gzip", "deflate": if let body = GzipBody() { return body }
        default: break
        }
        let reason = "it is encoded with \"\(coding.escapedForDisplay)\", which was not asked for"
        throw .undecodableBody(url: head.redactedURL, reason: reason)
    }
}
