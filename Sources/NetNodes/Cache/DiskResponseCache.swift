public import Foundation
public import Streams

/// Stores responses as files in a directory of its own. A crash during a write leaves the previous response intact.
///
/// A file is written under a temporary name and renamed. All operations run, and emit, on a serial queue of the cache. Only their owner can
/// read the files, which contain no request headers; their names are digests. Each has a checksum: a file that is damaged, as by a power
/// cut, or belongs to another key, is a miss and is removed. A missing directory is created again. Files may be removed externally at any
/// time, and the clock may jump: eviction follows the order in which responses were stored.
public final class DiskResponseCache: ResponseCache {
    private let directory: URL
    private let limit: Int
    private let queue = SerialDispatchQueueScheduler(label: "NetNodes.DiskResponseCache")
    private let usage = Lock(Usage())

    /// The known usage of the directory. It is only an estimate of when to recount: the content may change externally.
    private struct Usage {
        /// The size of all files; `nil` until they were counted.
        var bytes: Int?
        /// The number of bytes stored since the last count.
        var stored = 0
        /// The date of the response that was stored last.
        var newest = timespec()
    }

    /// - Parameters:
    ///   - directory: the directory, which is created if it is missing. Nothing else should write there.
    ///   - limit: the maximum size of all files in bytes; beyond it the oldest responses are removed until a tenth is free. A longer
    ///     response is not stored.
    /// - Throws: ``CachedResponse/Failure/unwritable(path:reason:)``.
    public init(directory: URL, limit: Int = 128 * 1024 * 1024) throws {
        self.directory = directory
        self.limit = limit
        try makeDirectory()
        removeStaleFiles()
    }

    public func response(for key: CachedResponse.Key) -> Observable<CachedResponse?> {
        onQueue { cache in try cache.read(key) }
    }

    public func store(_ response: CachedResponse, for key: CachedResponse.Key) -> Observable<Void> {
        onQueue { cache in try cache.write(response, key) }
    }

    public func remove(_ key: CachedResponse.Key) -> Observable<Void> {
        onQueue { cache in cache.delete(cache.file(of: key)) }
    }

    /// Removes all responses.
    public func removeAll() -> Observable<Void> {
        onQueue { cache in
            for file in cache.files() { cache.delete(file.url) }
        }
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable (DiskResponseCache) throws -> Result) -> Observable<Result> {
        Observable.deferred { .just(try work(self)) }.subscribe(on: queue)
    }

    private func file(of key: CachedResponse.Key) -> URL {
        directory.appending(path: key.digest + ".response")
    }
}

/// File operations. All of them run on the queue, except during initialization.
extension DiskResponseCache {
    private func makeDirectory() throws {
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CachedResponse.Failure.unwritable(path: directory.path, reason: reasonOfFileError(error))
        }
    }

    private func read(_ key: CachedResponse.Key) throws -> CachedResponse? {
        let file = file(of: key)
        let data: Data?
        do { data = try Data(regularFile: file, limit: limit) } catch let error as POSIXError
            where error.code == .ENOENT || error.code == .ENOTDIR
        {
            return nil
        } catch {
            throw CachedResponse.Failure.unreadable(path: file.path, reason: reasonOfFileError(error))
        }
        if let data, let response = CachedResponse(fileContent: data, key) { return response }
        delete(file)
        return nil
    }

    private func write(_ response: CachedResponse, _ key: CachedResponse.Key) throws {
        let content = try response.fileContent(key)
        let file = file(of: key)
        guard content.count <= limit else { return delete(file) }
        let old = size(of: file)
        do { try writeWhole(content, to: file) } catch {
            throw CachedResponse.Failure.unwritable(path: file.path, reason: reasonOfFileError(error))
        }
        let needsCount = usage.withLock { usage in
            usage.bytes = usage.bytes.map { $0 - old + content.count }
            usage.stored += content.count
            return usage.bytes.map { $0 > limit || usage.stored > limit / 10 } ?? true
        }
        if needsCount { evict(sparing: file) }
        setDate(of: file)
    }

    private func writeWhole(_ content: Data, to file: URL) throws {
        do { try content.writeWhole(to: file, isChecked: true) } catch let error as POSIXError where error.code == .ENOENT {
            // Systems clear their caches while programs are running.
            try makeDirectory()
            try content.writeWhole(to: file, isChecked: true)
        }
    }

    private func delete(_ file: URL) {
        let size = size(of: file)
        guard unlink(file.path) == 0 else { return }
        usage.withLock { $0.bytes = $0.bytes.map { $0 - size } }
    }

    /// Counts all files. If they exceed the limit, removes the oldest ones, except this one.
    private func evict(sparing stored: URL) {
        let files = files().sorted { $0.date < $1.date }
        var left = files.reduce(0) { $0 + $1.size }
        let room = left > limit ? limit - limit / 10 : limit
        for file in files where left > room && file.url.lastPathComponent != stored.lastPathComponent {
            unlink(file.url.path)
            left -= file.size
        }
        usage.withLock { usage in
            (usage.bytes, usage.stored) = (left, 0)
            if let last = files.last?.date, usage.newest < last { usage.newest = last }
        }
    }

    /// Gives a file a later date than all others, even if the clock was set back or ahead: the response that was stored last is evicted
    /// last.
    private func setDate(of file: URL) {
        guard let date = status(of: file)?.modified else { return }
        let wanted = usage.withLock { usage in
            usage.newest = usage.newest < date ? date : usage.newest.next
            return usage.newest
        }
        guard date < wanted else { return }
        let times = [wanted, wanted]
        utimensat(AT_FDCWD, file.path, times, 0)
    }

    /// Removes temporary files that a crash has left. They are too old, or dated too far ahead, to be in use.
    private func removeStaleFiles() {
        let now = Int(Date().timeIntervalSince1970)
        for file in files(ending: PartialFile.ending) where abs(now - file.date.tv_sec) > 3600 {
            // Unfinished files of other programs are usually not hidden.
            if file.url.lastPathComponent.hasPrefix(".") { unlink(file.url.path) }
        }
    }

    private func status(of file: URL) -> stat? {
        var status = stat()
        return lstat(file.path, &status) == 0 ? status : nil
    }

    private func size(of file: URL) -> Int {
        status(of: file).map { Int($0.st_size) } ?? 0
    }

    private func files(ending: String = ".response") -> [(url: URL, size: Int, date: timespec)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.compactMap { name in
            let url = directory.appending(path: name)
            return status(of: url).map { (url, Int($0.st_size), $0.modified) }
        }
    }
}

extension stat {
    #if os(Linux)
        fileprivate var modified: timespec { st_mtim }
    #else
        fileprivate var modified: timespec { st_mtimespec }
    #endif
}

extension timespec {
    fileprivate static func < (left: timespec, right: timespec) -> Bool {
        (left.tv_sec, left.tv_nsec) < (right.tv_sec, right.tv_nsec)
    }

    /// The next later date; file systems store no smaller difference.
    fileprivate var next: timespec {
        let step = 1_000
        return tv_nsec + step < 1_000_000_000
            ? timespec(tv_sec: tv_sec, tv_nsec: tv_nsec + step) : timespec(tv_sec: tv_sec + 1, tv_nsec: tv_nsec + step - 1_000_000_000)
    }
}
