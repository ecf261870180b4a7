import Foundation
import Streams

/// A file that is written atomically: under a temporary name beside its target, and renamed when it is complete. After a power cut, the
/// target has its old content or the new one; the folder is not synchronized, so it may be the old one.
///
/// Sound by law 2: the caller serializes writes.
final class PartialFile: @unchecked Sendable {
    /// The suffix of the names of unfinished files.
    static let ending = ".part"

    private let target: URL
    private let path: String
    private var descriptor: Int32

    /// Creates a file that only its owner can read.
    ///
    /// - Throws: `POSIXError`.
    init(for target: URL) throws {
        self.target = target
        let name = ".\(randomIdentifier(from: SystemRandomNumberGenerator()))\(Self.ending)"
        path = target.deletingLastPathComponent().appending(path: name).path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError.last }
    }

    deinit {
        discard()
    }

    /// Appends bytes.
    func write(_ data: Data) throws {
        try data.append(to: descriptor)
    }

    /// Moves the file to its target, replacing any existing file.
    ///
    /// - Parameter isChecked: whether readers recognize a damaged file, so that the file need not be synchronized to the disk before.
    func finish(isChecked: Bool = false) throws {
        guard isChecked || fsync(descriptor) == 0 else { throw POSIXError.last }
        closeDescriptor()
        guard rename(path, target.path) == 0 else {
            let error = POSIXError.last
            unlink(path)
            throw error
        }
    }

    /// Removes the file, unless it is finished.
    func discard() {
        guard descriptor >= 0 else { return }
        closeDescriptor()
        unlink(path)
    }

    private func closeDescriptor() {
        close(descriptor)
        descriptor = -1
    }
}

/// Returns the reason why a file could not be read or written, without a full stop.
package func reasonOfFileError(_ error: any Error) -> String {
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return error.localizedDescription.trimmingSuffix(".").escapedForDisplay
}
