import Foundation

/// A file that is written atomically: under a temporary name beside its target, and renamed when it is complete.
///
/// Sound by law 2: writes are serialized by the caller.
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
        path = target.deletingLastPathComponent().appending(path: ".\(UUID().uuidString)\(Self.ending)").path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.lastError }
    }

    deinit {
        discard()
    }

    /// Appends bytes.
    func write(_ data: Data) throws {
        for region in data.regions {
            var rest = region[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.lastError }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Synchronizes the file to the disk and moves it to its target, replacing any existing file.
    func finish() throws {
        guard fsync(descriptor) == 0 else { throw Self.lastError }
        closeDescriptor()
        guard rename(path, target.path) == 0 else {
            let error = Self.lastError
            unlink(path)
            throw error
        }
        let directory = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
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

    private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// Returns the reason why a file could not be read or written, without a full stop.
func reasonOfFileError(_ error: any Error) -> String {
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return error.localizedDescription.trimmingSuffix(".").escapedForDisplay
}

extension Data {
    /// Writes the data atomically into a file that only its owner can read.
    ///
    /// - Throws: `POSIXError`.
    package func writeWhole(to target: URL) throws {
        let file = try PartialFile(for: target)
        try file.write(self)
        try file.finish()
    }
}
