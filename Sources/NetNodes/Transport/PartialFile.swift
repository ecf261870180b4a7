import Foundation

/// A file that is there whole or not at all: it is written beside its place under another name, and renamed when it is complete.
///
/// Law 2 makes the unchecked conformance sound: whoever writes does so one call at a time.
final class PartialFile: @unchecked Sendable {
    /// What the names of unfinished files end with.
    static let ending = ".part"

    private let target: URL
    private let path: String
    private var descriptor: Int32

    /// Begins a file that only its owner can read.
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

    /// Brings everything to the disk and puts the file in its place, over any that stands there.
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

    /// Removes what was written, unless it is finished.
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

/// Why a file could not be read or written, without a full stop.
func reasonOfFileError(_ error: any Error) -> String {
    if let error = error as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
    return error.localizedDescription.trimmingSuffix(".").escapedForDisplay
}

extension Data {
    /// Writes this as a whole file or not at all.
    func writeWhole(to target: URL) throws {
        let file = try PartialFile(for: target)
        try file.write(self)
        try file.finish()
    }
}
