public import Foundation
public import Streams

/// Keeps responses in files, one a response, in a directory of its own. A crash in the middle of a write leaves the response as it was before.
///
/// A file is written under another name, brought to the disk and renamed. All work is done on a serial queue of the cache; what it sends comes
/// on that queue. Files can be read by their owner only and hold no request headers; their names are digests. A damaged file is a miss.
public final class DiskResponseCache: ResponseCache {
    private let directory: URL
    private let limit: Int
    private let queue = SerialDispatchQueueScheduler(label: "NetNodes.DiskResponseCache")
    /// Bytes of all files; `nil` until they were counted.
    private let bytes = Lock<Int?>(nil)

    /// - Parameters:
    ///   - directory: made where it is missing. No one else should write there.
    ///   - limit: bytes of all files together; beyond that those that were stored first go, until a tenth is free.
    /// - Throws: ``CacheError/unwritable(path:reason:)``.
    public init(directory: URL, limit: Int = 128 * 1024 * 1024) throws {
        self.directory = directory
        self.limit = limit
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CacheError.unwritable(path: directory.path, reason: reasonOfFileError(error))
        }
        removeRemains()
    }

    public func response(for key: CacheKey) -> Observable<CachedResponse?> {
        onQueue { cache in try cache.read(key) }
    }

    public func store(_ response: CachedResponse, for key: CacheKey) -> Observable<Void> {
        onQueue { cache in try cache.write(response, key) }
    }

    public func remove(_ key: CacheKey) -> Observable<Void> {
        onQueue { cache in cache.delete(cache.file(of: key)) }
    }

    /// Forgets everything.
    public func removeAll() -> Observable<Void> {
        onQueue { cache in
            for file in cache.files() { cache.delete(file.url) }
        }
    }

    private func onQueue<Result: Sendable>(_ work: @escaping @Sendable (DiskResponseCache) throws -> Result) -> Observable<Result> {
        Observable.deferred { .just(try work(self)) }.subscribe(on: queue)
    }

    private func file(of key: CacheKey) -> URL {
        directory.appending(path: key.digest + ".response")
    }
}

/// The files. Everything here runs on the queue, but for the first look around.
extension DiskResponseCache {
    private func read(_ key: CacheKey) throws -> CachedResponse? {
        let file = file(of: key)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw CacheError.unreadable(path: file.path, reason: reasonOfFileError(error))
        }
        if let response = CachedResponse(fileContent: data) { return response }
        delete(file)
        return nil
    }

    private func write(_ response: CachedResponse, _ key: CacheKey) throws {
        let content = try response.fileContent()
        let file = file(of: key)
        let old = size(of: file)
        do { try content.writeWhole(to: file) } catch {
            throw CacheError.unwritable(path: file.path, reason: reasonOfFileError(error))
        }
        let total = bytes.withLock { bytes in
            bytes = bytes.map { $0 - old + content.count }
            return bytes
        }
        makeRoom(total ?? countFiles())
    }

    private func delete(_ file: URL) {
        let size = size(of: file)
        guard unlink(file.path) == 0 else { return }
        bytes.withLock { bytes in bytes = bytes.map { $0 - size } }
    }

    private func countFiles() -> Int {
        let total = files().reduce(0) { $0 + $1.size }
        bytes.withLock { $0 = total }
        return total
    }

    private func makeRoom(_ total: Int) {
        guard total > limit else { return }
        var left = total
        for file in files().sorted(by: { $0.date < $1.date }) where left > limit - limit / 10 {
            delete(file.url)
            left -= file.size
        }
    }

    /// Removes what a crash has left behind long enough ago that nobody can be writing it.
    private func removeRemains() {
        for file in files(ending: PartialFile.ending) where file.date.timeIntervalSinceNow < -3600 { unlink(file.url.path) }
    }

    private func size(of file: URL) -> Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_size) : 0
    }

    private func files(ending: String = ".response") -> [(url: URL, size: Int, date: Date)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.compactMap { name in
            let url = directory.appending(path: name)
            var status = stat()
            guard stat(url.path, &status) == 0 else { return nil }
            let date = Date(timeIntervalSince1970: Double(status.modified.tv_sec) + Double(status.modified.tv_nsec) / 1e9)
            return (url, Int(status.st_size), date)
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

extension CachedResponse {
    private struct Head: Codable {
        var status: Int
        var headers: [[String]]
        var variant: [String: String]
        var date: Date
        var length: Int
    }

    private static let mark = Data("NetNodes response 1\n".utf8)

    /// A mark, the length of the head, the head as JSON, the body.
    fileprivate func fileContent() throws -> Data {
        let fields = headers.map { [$0.name, $0.value] }
        let head = try JSONEncoder().encode(Head(status: status, headers: fields, variant: variant, date: date, length: body.count))
        return Self.mark + Data("\(head.count)\n".utf8) + head + body
    }

    /// The response in a file, `nil` if it is damaged.
    fileprivate init?(fileContent data: Data) {
        guard data.starts(with: Self.mark) else { return nil }
        let rest = data.dropFirst(Self.mark.count)
        guard let lineEnd = rest.prefix(20).firstIndex(of: 0x0A), let count = Int(String(decoding: rest[..<lineEnd], as: UTF8.self)),
            count >= 0, count <= rest.endIndex - lineEnd - 1
        else { return nil }
        let bodyStart = lineEnd + 1 + count
        guard let head = try? JSONDecoder().decode(Head.self, from: rest[(lineEnd + 1)..<bodyStart]),
            head.length == rest.endIndex - bodyStart, head.headers.allSatisfy({ $0.count == 2 })
        else { return nil }
        let headers = HTTPHeaders(head.headers.map { HTTPHeaders.Field(name: $0[0], value: $0[1]) })
        self.init(status: head.status, headers: headers, body: Data(rest[bodyStart...]), variant: head.variant, date: head.date)
    }
}
