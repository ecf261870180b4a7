import Foundation

extension LineOptions {
    /// The position at which a followed file is first read.
    public enum FollowStart: Sendable, Equatable {
        /// The end of the file at the time of the subscription: only new lines.
        case end
        /// The beginning of the file.
        case beginning
        /// The last lines that the file has at the time of the subscription, and then the new ones. The file is read backwards as far as
        /// they reach.
        case lastLines(Int)
    }
}

extension Observable where Element == String {
    /// Emits the lines that are written to a file, as `tail -F` does; never completes.
    ///
    /// ```swift
    /// let failures = Observable.lines(following: log).filter { $0.contains("ERROR") }
    /// // --a---b--c--
    /// ```
    ///
    /// The stream follows the path, not the file:
    ///
    /// - When another file takes the place of the current one (rotation), the current one is read until the new one has its first byte.
    ///   Then the new one is read from its beginning. So nothing is lost that one writer writes.
    /// - A truncated file is read from its beginning again, and an incomplete line is dropped. If more was written to it than had been read
    ///   before, the truncation is not noticed.
    /// - The stream waits for a file that does not exist yet, or no longer exists.
    ///
    /// A line is emitted when its line feed is written. While the consumer is suspended nothing is read; if the file is replaced twice
    /// meanwhile, only the first and the last file are read.
    ///
    /// Links are followed wherever they lead, as with the logs of containers: to a file that is replaced in another folder, over further
    /// links, and to another file when they are changed. Neither the target of a link nor its folder need exist yet; the folder in the path
    /// itself must exist.
    ///
    /// The stream waits for notifications of the system, which network file systems do not send for writes of other machines.
    ///
    /// Fails with a ``SystemSourceError``: `notPermitted`, `isDirectory`, `notRegularFile`, `lineTooLong`, `notUTF8`, `outOfResources`, and
    /// `notFound` or `removed` for the directory of the file.
    /// Source: [tail(1)](https://man7.org/linux/man-pages/man1/tail.1.html).
    public static func lines(
        following file: URL, from start: LineOptions.FollowStart = .end, _ options: LineOptions = LineOptions()
    ) -> Observable<String> {
        .onThread { thread in
            try FileFollower(file, thread, options).follow(from: start)
        }
    }
}

/// Reads a file that grows, and the file that takes its place.
private final class FileFollower {
    /// An open file and its watch.
    private struct Followed {
        let descriptor: Descriptor
        let watch: Int32
        let status: stat

        func isSame(as other: stat) -> Bool {
            status.st_dev == other.st_dev && status.st_ino == other.st_ino
        }
    }

    private let path: String
    private let folder: String
    private let thread: SourceThread<String>
    private let watch: FileSystemWatch
    private var reader: LineReader
    private var way: PathResolution
    /// Whether the names of a folder on the way are watched, by the number of its watch.
    private var watches: [Int32: Bool] = [:]
    /// The watch of the folder that the path names, and the way at the time when that folder last existed.
    private var home: (watch: Int32, way: PathResolution)?
    private var current: Followed?
    /// The file that has taken the place of the current one and is still empty.
    private var next: Followed?

    init(_ file: URL, _ thread: SourceThread<String>, _ options: LineOptions) throws {
        path = file.path(percentEncoded: false)
        folder = file.deletingLastPathComponent().path
        self.thread = thread
        reader = LineReader(thread, path: path, options)
        watch = try FileSystemWatch()
        way = try PathResolution(to: path)
        _ = try watch.addDirectory(folder, for: .names)
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Watches the folders on the way to the file before it looks at their contents, so that no change is missed.
    private func watchWay() throws {
        while !thread.isDisposed {
            if !way.isCurrent { way = try PathResolution(to: path) }
            do {
                try watchHome()
                let new = try watchFolders()
                // Nothing was missed if all folders were watched before the lookup.
                guard new != watches else { return }
                for old in watches.keys where new[old] == nil && old != home?.watch { watch.remove(old) }
                watches = new
            } catch SystemSourceError.notFound {
                // A folder that existed a moment ago is gone: the way has changed.
            }
        }
    }

    /// Watches the folder that the path names. A link to it may lead elsewhere, or be missing while it is replaced; otherwise the watch
    /// stays.
    private func watchHome() throws {
        guard let path = way.home else {
            guard let missing = way.missing, home?.way.hasLink(at: missing) ?? false else { throw SystemSourceError.removed(path: folder) }
            return
        }
        let number = try watch.addDirectory(path, for: .names)
        if let home, home.way.home == path, home.watch != number { throw SystemSourceError.removed(path: folder) }
        home = (number, way)
    }

    /// Watches each folder on the way.
    private func watchFolders() throws -> [Int32: Bool] {
        var watches: [Int32: Bool] = [:]
        let folders = way.folders
        for (index, folder) in folders.enumerated() {
            do {
                let number = try watch.addDirectory(folder.path, for: folder.hasNames ? .names : .itself)
                watches[number] = folder.hasNames || watches[number] ?? false
            } catch SystemSourceError.notPermitted where index < folders.count - 1 {
                // The folder may be passed through, but not read.
            }
        }
        return watches
    }

    func follow(from start: LineOptions.FollowStart) throws {
        try watchWay()
        current = try open()
        if let current { seek(start, in: current.descriptor.number) }
        while !thread.isDisposed {
            try readCurrent()
            if try replace() { continue }
            guard !thread.isDisposed else { return }
            try thread.wait(reading: [watch.number])
            // Writes to the file itself are reported too; they change nothing on the way.
            if try watch.events().contains(where: { $0.watch != current?.watch }) { try watchWay() }
        }
    }

    private func seek(_ start: LineOptions.FollowStart, in number: Int32) {
        switch start {
        case .beginning: break
        case .end: lseek(number, 0, SEEK_END)
        case .lastLines(let count): lseek(number, position(ofLast: count, in: number), SEEK_SET)
        }
    }

    /// The beginning of the last lines. A file that is truncated meanwhile is read from its beginning.
    private func position(ofLast count: Int, in number: Int32) -> off_t {
        let end = lseek(number, 0, SEEK_END)
        guard count > 0 else { return end }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var (position, missing) = (end, count)
        while position > 0, !thread.isDisposed {
            let length = min(Int(position), buffer.count)
            position -= off_t(length)
            guard pread(number, &buffer, length, position) == length else { return 0 }
            // A line feed at the end ends the last line, and begins none.
            for index in (0..<length).reversed() where buffer[index] == 0x0A && position + off_t(index) < end - 1 {
                missing -= 1
                if missing == 0 { return position + off_t(index) + 1 }
            }
        }
        return 0
    }

    /// Emits the lines up to the end of the current file, which may have been truncated.
    private func readCurrent() throws {
        guard let number = current?.descriptor.number else { return }
        while true {
            while case .bytes = try reader.read(number) {}
            guard !thread.isDisposed, let size = try current?.descriptor.status(of: path).st_size, size < lseek(number, 0, SEEK_CUR) else {
                return
            }
            lseek(number, 0, SEEK_SET)
            reader.restart()
        }
    }

    /// Moves on to the file that is now at the path, if it is another one; returns whether it did.
    private func replace() throws -> Bool {
        guard let status = Self.status(of: path), current?.isSame(as: status) != true else {
            dropNext()
            return false
        }
        if next?.isSame(as: status) != true {
            dropNext()
            next = try open()
        }
        // The opened file may be the current file again. Only its size tells how much was written before it was watched.
        guard let following = next, current?.isSame(as: following.status) != true else {
            dropNext()
            return false
        }
        guard try current == nil || following.descriptor.status(of: path).st_size > 0 else { return false }
        // The writer of the old file may have written its last lines after it was read here.
        try readCurrent()
        guard !thread.isDisposed else { return false }
        try reader.finish()
        reader.restart()
        if let old = current?.watch, old != following.watch { watch.remove(old) }
        (current, next) = (following, nil)
        return true
    }

    /// Closes the next file. A file has one watch, however often it was opened: the watch stays if it belongs to the current file.
    private func dropNext() {
        if let old = next?.watch, old != current?.watch { watch.remove(old) }
        next = nil
    }

    /// Opens the file at the path; `nil` if there is none.
    private func open() throws -> Followed? {
        do {
            let descriptor = try Descriptor(opening: path)
            let status = try descriptor.status(of: path)
            switch status.st_mode & S_IFMT {
            case S_IFREG: return Followed(descriptor: descriptor, watch: try watch.addFile(descriptor, at: path), status: status)
            case S_IFDIR: throw SystemSourceError.isDirectory(path: path)
            default: throw SystemSourceError.notRegularFile(path: path)
            }
        } catch SystemSourceError.notFound { return nil }
    }
}
