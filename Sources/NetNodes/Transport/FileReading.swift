package import Foundation

extension Data {
    /// Reads a regular file.
    ///
    /// - Returns: the content; `nil` if it is not a regular file, such as a link, a directory or a pipe, or longer than `limit`.
    /// - Throws: `POSIXError`.
    init?(regularFile file: URL, limit: Int) throws {
        try self.init(file, limit: limit) { _ in true }
    }

    /// Reads a regular file of this user that no other user can read or write.
    ///
    /// - Returns: the content; `nil` if it is another kind of file, or longer than `limit`.
    /// - Throws: `POSIXError`.
    package init?(privateFile file: URL, limit: Int) throws {
        try self.init(file, limit: limit) { $0.st_uid == geteuid() && $0.st_mode & 0o077 == 0 }
    }

    private init?(_ file: URL, limit: Int, where isWanted: (stat) -> Bool) throws {
        // A pipe without a writer must not block the reader.
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ELOOP || errno == ENXIO { return nil }
            throw POSIXError.last
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw POSIXError.last }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit, isWanted(status) else { return nil }
        var data = Data(count: Int(status.st_size))
        var count = 0
        while count < data.count {
            let got = data.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw POSIXError.last }
            guard got > 0 else { break }
            count += got
        }
        self = data.prefix(count)
    }
}
