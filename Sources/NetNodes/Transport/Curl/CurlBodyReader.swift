import Foundation

/// Reads the files and bytes of a request's body while libcurl sends them. Confined to the engine's thread.
final class CurlBodyReader: CurlBody {
    private struct Piece {
        let content: HTTPRequest.Body.Piece
        let start: Int64
        let end: Int64
    }

    override var length: Int64 { total }
    private let total: Int64
    private let pieces: [Piece]
    private var position: Int64 = 0
    /// The file that is being read.
    private var openFile: (url: URL, descriptor: Int32)?

    /// - Throws: `TransportError.unreadableBody` for the first file that cannot be read.
    init(_ contents: [HTTPRequest.Body.Piece]) throws(TransportError) {
        var pieces: [Piece] = []
        var end: Int64 = 0
        for content in contents {
            let start = end
            switch content {
            case .data(let data): end += Int64(data.count)
            case .file(let url): end += try lengthOfRegularFile(url)
            }
            pieces.append(Piece(content: content, start: start, end: end))
        }
        self.pieces = pieces
        total = end
    }

    deinit {
        if let openFile { close(openFile.descriptor) }
    }

    override func seek(to position: Int64) -> Bool {
        self.position = position
        return true
    }

    override func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        copy(into: buffer).map { .bytes($0) } ?? .abort
    }

    /// - Returns: the number of bytes read, 0 at the end; `nil` if a file has become shorter or unreadable.
    private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard !buffer.isEmpty, let piece = pieces.first(where: { $0.start <= position && position < $0.end }) else { return 0 }
        let offset = position - piece.start
        let wanted = Int(min(Int64(buffer.count), piece.end - position))
        var count = wanted
        switch piece.content {
        case .data(let data):
            let first = data.startIndex + Int(offset)
            data.copyBytes(to: buffer.bindMemory(to: UInt8.self), from: first..<(first + wanted))
        case .file(let url):
            guard let descriptor = descriptor(of: url) else { return nil }
            count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
            guard count > 0 else { return nil }
        }
        position += Int64(count)
        return count
    }

    private func descriptor(of url: URL) -> Int32? {
        if let openFile, openFile.url == url { return openFile.descriptor }
        if let openFile { close(openFile.descriptor) }
        openFile = nil
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        openFile = (url, descriptor)
        return descriptor
    }
}

/// Returns the length of a readable regular file.
///
/// - Throws: `TransportError.unreadableBody`.
func lengthOfRegularFile(_ url: URL) throws(TransportError) -> Int64 {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableBody(path: url.path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw .unreadableBody(path: url.path, reason: "it is not a regular file")
    }
    return Int64(status.st_size)
}
