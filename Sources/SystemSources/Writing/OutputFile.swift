import Foundation

/// An open file that is written at its end.
struct OutputFile {
    private let descriptor: Descriptor
    private let path: String
    private let status: stat
    private(set) var size: Int

    /// Opens a file, or creates it in a folder that exists.
    init(appendingTo path: String) throws(SystemSourceError) {
        try self.init(path, open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o666))
    }

    /// Creates a file whose content will be that of the file at `path`, with the mode of that if it exists.
    init(creating part: String, for path: String) throws(SystemSourceError) {
        try self.init(path, open(part, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        var known = stat()
        if stat(path, &known) == 0 { fchmod(descriptor.number, known.st_mode & 0o7777) }
    }

    private init(_ path: String, _ number: Int32) throws(SystemSourceError) {
        guard number >= 0 else {
            let code = errno
            throw SystemSourceError(writing: "open", path: code == ENOENT ? Self.folder(of: path) : path, code: code)
        }
        self.path = path
        descriptor = Descriptor(owning: number)
        status = try descriptor.status(of: path)
        size = Int(status.st_size)
    }

    var modificationDate: Date {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Date(timeIntervalSince1970: TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9)
    }

    /// Whether the file still has its name.
    func isNamed(_ path: String) -> Bool {
        var named = stat()
        return stat(path, &named) == 0 && named.st_dev == status.st_dev && named.st_ino == status.st_ino
    }

    /// Writes bytes, all or none: those that the system has taken of them before it takes no more are cut off, unless another program has
    /// written behind them.
    mutating func write(_ data: Data) throws(SystemSourceError) {
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
        size += written
    }

    /// Waits until the file is on the disk.
    func flush() throws(SystemSourceError) {
        while fsync(descriptor.number) != 0 {
            switch errno {
            case EINTR: continue
            // A device or a pipe has nothing to flush.
            case EINVAL, ENOTSUP, EROFS: return
            default: throw SystemSourceError(writing: "fsync", path: path)
            }
        }
    }

    /// Waits until the name of a file is on the disk.
    static func flushFolder(of path: String) throws(SystemSourceError) {
        let opened = try Descriptor(opening: folder(of: path))
        guard fsync(opened.number) == 0 else { throw SystemSourceError("fsync", path: path) }
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
