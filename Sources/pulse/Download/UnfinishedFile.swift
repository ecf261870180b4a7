import Foundation
import NetNodes

/// The file of a download until it is complete: `FILE.part` beside `FILE`, and `FILE.part.origin`, which describes the resource that it
/// belongs to.
final class UnfinishedFile {
    /// The number of bytes in the file.
    private(set) var count: Int64
    private let target: URL
    private let path: String
    private let replaces: Bool
    private var descriptor: Int32
    private var origin: PartOrigin?
    /// Whether the bytes are those of an earlier download that is not continued. They stay until a response replaces them.
    private var isSetAside = false

    /// Opens or creates the file and locks it.
    ///
    /// - Throws: `Download.Failure`, also if the target exists and must not be replaced, or another process downloads it.
    init(for target: URL, replacing: Bool) throws {
        self.target = target
        path = target.path + ".part"
        replaces = replacing
        try Self.checkTarget(target, replacing: replacing)
        descriptor = Self.openPart(path)
        guard descriptor >= 0 else { throw Self.failure(target) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_nlink > 1 {
            // This is the finished file: a process was killed after it gave the file its name, and before it removed this one.
            Foundation.close(descriptor)
            unlink(path)
            PartOrigin.remove(beside: path)
            descriptor = Self.openPart(path)
            guard descriptor >= 0 else { throw Self.failure(target) }
        }
        count = 0
        guard let obstacle = obstacle() else { return }
        Foundation.close(descriptor)
        throw Download.Failure.unwritable(path: target.path, reason: obstacle)
    }

    /// Locks the file and reads its record; returns why it cannot be used. If it belonged to another user, they could change it after this
    /// check.
    private func obstacle() -> String? {
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "\(path) is not a file" }
        guard status.st_uid == geteuid() else { return "\(path) belongs to another user" }
        guard isLocked else { return "another process is downloading it" }
        count = Int64(status.st_size)
        origin = PartOrigin(readingBeside: path)
        return count == 0 || origin != nil || replaces ? nil : "\(path) is no unfinished download (--force replaces it)"
    }

    /// Closes the file, and removes it if there is nothing in it. Idempotent.
    func close() {
        guard descriptor >= 0 else { return }
        if count == 0, !isSetAside { discard() }
        Foundation.close(descriptor)
        descriptor = -1
    }

    /// The origin of the bytes in the file, if there are any and they can be continued.
    var continuedOrigin: PartOrigin? { count > 0 && origin?.validator != nil ? origin : nil }

    /// Begins anew, and keeps the bytes of the earlier download until there are others.
    func setAside() {
        isSetAside = count > 0
        count = 0
    }

    /// Empties the file for a new body.
    func restart(from newOrigin: PartOrigin?) throws {
        guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(target) }
        (count, isSetAside) = (0, false)
        origin = nil
        PartOrigin.remove(beside: path)
        try newOrigin?.write(beside: path, for: target)
        origin = newOrigin
    }

    /// Appends bytes.
    func append(_ data: Data) throws {
        do throws(POSIXError) {
            try data.append(to: descriptor)
            count += Int64(data.count)
        } catch {
            // The bytes that were written before the disk was full can be continued.
            var status = stat()
            if fstat(descriptor, &status) == 0 { count = Int64(status.st_size) }
            throw Self.failure(target, error.code.rawValue)
        }
    }

    /// Synchronizes the file to the disk and gives it its final name. Only its owner can read it.
    func finish() throws {
        guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else { throw Self.failure(target) }
        try giveName()
        PartOrigin.remove(beside: path)
    }

    /// Gives the file its name by a link. Unlike a renaming, a link does not replace a file that has just appeared. A file system without
    /// links gets a renaming.
    private func giveName() throws {
        if !replaces, link(path, target.path) == 0 {
            unlink(path)
            return
        }
        try Self.checkTarget(target, replacing: replaces)
        guard rename(path, target.path) == 0 else { throw Self.failure(target) }
    }

    private func discard() {
        // After the renaming, another process may already use that name.
        var (mine, named) = (stat(), stat())
        guard fstat(descriptor, &mine) == 0, lstat(path, &named) == 0, mine.st_ino == named.st_ino else { return }
        unlink(path)
        PartOrigin.remove(beside: path)
    }

    /// Opens the part. Its name can be guessed, so a link that somebody put in its place is not followed.
    private static func openPart(_ path: String) -> Int32 {
        open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
    }

    private static func checkTarget(_ target: URL, replacing: Bool) throws {
        var status = stat()
        guard lstat(target.path, &status) == 0 else { return }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard !isFile || !replacing else { return }
        throw Download.Failure.unwritable(
            path: target.path, reason: isFile ? "it exists already (--force replaces it)" : "it exists and is not a file")
    }

    private static func failure(_ target: URL, _ code: Int32 = errno) -> Download.Failure {
        .unwritable(path: target.path, reason: String(cString: strerror(code)))
    }
}
