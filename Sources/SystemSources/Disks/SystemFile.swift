import Foundation

/// An open file of the system that is written at its end.
final class SystemFile: DiskFile {
    private let descriptor: Descriptor
    /// The path that errors name.
    private let path: String
    /// The path by which the file was opened.
    private let ownPath: String
    private let status: stat

    /// Opens a file, or creates it in a folder that exists.
    convenience init(appendingTo path: String) throws(SystemSourceError) {
        try self.init(path, path, Foundation.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o666))
    }

    /// Creates a file whose content will be that of the file at `path`, with the mode of that if it exists.
    convenience init(creating part: String, for path: String) throws(SystemSourceError) {
        try self.init(path, part, Foundation.open(part, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        var known = stat()
        if stat(path, &known) == 0 { fchmod(descriptor.number, known.st_mode & 0o7777) }
    }

    private init(_ path: String, _ ownPath: String, _ number: Int32) throws(SystemSourceError) {
        guard number >= 0 else {
            let code = errno
            throw SystemSourceError(writing: "open", path: code == ENOENT ? Self.folder(of: path) : path, code: code)
        }
        (self.path, self.ownPath) = (path, ownPath)
        descriptor = Descriptor(owning: number)
        status = try descriptor.status(of: path)
    }

    var initialSize: Int { Int(status.st_size) }

    var modificationDate: Date {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
    }

    var hasItsName: Bool {
        var named = stat()
        return stat(ownPath, &named) == 0 && named.st_dev == status.st_dev && named.st_ino == status.st_ino
    }

    func append(_ data: Data) -> Completable {
        .deferred { [self] in
            try write(data)
            return .empty()
        }
    }

    func flush() -> Completable {
        .deferred { [self] in
            try synchronize()
            return .empty()
        }
    }

    /// Writes bytes, all or none: those that the system has taken of them before it takes no more are cut off, unless another program has
    /// written behind them.
    private func write(_ data: Data) throws(SystemSourceError) {
        let end = lseek(descriptor.number, 0, SEEK_END)
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                Foundation.write(descriptor.number, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                if written > 0, let now = try? descriptor.status(of: path).st_size, now == end + off_t(written) {
                    ftruncate(descriptor.number, end)
                }
                throw SystemSourceError(writing: "write", path: path, code: code)
            }
            written += count
        }
    }

    private func synchronize() throws(SystemSourceError) {
        while fsync(descriptor.number) != 0 {
            switch errno {
            case EINTR: continue
            // A device or a pipe has nothing to flush.
            case EINVAL, ENOTSUP, EROFS: return
            default: throw SystemSourceError(writing: "fsync", path: path)
            }
        }
    }

    private static func folder(of path: String) -> String {
        URL(filePath: path).deletingLastPathComponent().path
    }
}

extension SystemSourceError {
    /// Creates the error of a call that writes and has set `errno`.
    init(writing operation: String, path: String, code: Int32 = errno) {
        self = [ENOSPC, EDQUOT].contains(code) ? .diskFull(path: path) : SystemSourceError(operation, path: path, code: code)
    }
}
