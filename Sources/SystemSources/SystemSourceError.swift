import Foundation

/// The reason why a source of the system failed.
///
/// Paths are shown as you gave them.
public enum SystemSourceError: Error, Equatable, Sendable {
    /// There is no such file or directory.
    case notFound(path: String)
    /// The file or directory may not be read, or written.
    case notPermitted(path: String)
    /// A file was expected.
    case isDirectory(path: String)
    /// A directory was expected.
    case notDirectory(path: String)
    /// A regular file was expected: neither a pipe nor a device can be followed.
    case notRegularFile(path: String)
    /// The watched file or directory does not exist any more.
    case removed(path: String)
    /// A line, counted from 1, is longer than `limit` bytes.
    case lineTooLong(number: Int, limit: Int)
    /// A line, counted from 1, is not UTF-8.
    case notUTF8(line: Int)
    /// There is no room for what is to be written.
    case diskFull(path: String)
    /// The process or the system has no descriptors, watches or threads left.
    case outOfResources(operation: String, code: Int32)
    /// A call of the system failed for another reason; `code` is its `errno`.
    case failed(operation: String, path: String?, code: Int32)
}

extension SystemSourceError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let path): "\(path) does not exist."
        case .notPermitted(let path): "There is no permission for \(path)."
        case .isDirectory(let path): "\(path) is a directory."
        case .notDirectory(let path): "\(path) is not a directory."
        case .notRegularFile(let path): "\(path) is not a regular file."
        case .removed(let path): "\(path) was removed."
        case .lineTooLong(let number, let limit): "Line \(number) is longer than \(limit) bytes."
        case .notUTF8(let line): "Line \(line) is not UTF-8."
        case .diskFull(let path): "There is no room on the disk for \(path)."
        case .outOfResources(let operation, let code): "The system is out of resources (\(operation)): \(Self.text(of: code))."
        case .failed(let operation, let path, let code): "\(operation)\(path.map { " of \($0)" } ?? "") failed: \(Self.text(of: code))."
        }
    }

    public var errorDescription: String? { description }

    static func text(of code: Int32) -> String {
        String(cString: strerror(code))
    }
}

extension SystemSourceError {
    /// Creates the error of a call that has set `errno`.
    init(_ operation: String, path: String? = nil, code: Int32 = errno) {
        let exhausted = [EMFILE, ENFILE, ENOSPC, ENOMEM, EAGAIN]
        switch (code, path) {
        case (ENOENT, let path?): self = .notFound(path: path)
        case (EACCES, let path?), (EPERM, let path?): self = .notPermitted(path: path)
        case (EISDIR, let path?): self = .isDirectory(path: path)
        case (ENOTDIR, let path?): self = .notDirectory(path: path)
        case _ where exhausted.contains(code): self = .outOfResources(operation: operation, code: code)
        default: self = .failed(operation: operation, path: path, code: code)
        }
    }
}
