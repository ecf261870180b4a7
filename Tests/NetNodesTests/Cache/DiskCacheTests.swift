import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Disk cache", .countsResources, .stopsServers, .blocksThread)
struct DiskCacheTests {
    private let directory = TemporaryDirectory()
    private let response = CachedResponse(
        status: 200, headers: ["ETag": "\"1\"", "X": "y"], body: Data("body\n\n{}".utf8), variant: ["accept": "0"],
        date: Date(timeIntervalSinceReferenceDate: 1))

    private func key(_ number: Int) throws -> CachedResponse.Key { CachedResponse.Key(HTTPRequest(.get, try "http://h/\(number)".url())) }

    /// A cache with `response` for the first key, and its file.
    private func stored() throws -> (DiskResponseCache, URL) {
        let cache = try DiskResponseCache(directory: directory.url)
        _ = cache.store(response, for: try key(1)).ended()
        return (cache, try #require(directory.files.first))
    }

    @Test func `A stored response is available to another cache of the same directory`() throws {
        let cache = try DiskResponseCache(directory: directory.url)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
        #expect(cache.store(response, for: try key(1)).ended().elements.count == 1)
        let other = try DiskResponseCache(directory: directory.url)
        #expect(other.response(for: try key(1)).ended().elements == [response])
        #expect(other.remove(try key(1)).ended().error == nil)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
    }

    @Test func `A file truncated at any byte is a miss and is removed`() throws {
        let (cache, file) = try stored()
        let content = try Data(contentsOf: file)
        for count in 0..<content.count {
            try content.prefix(count).write(to: file)
            #expect(cache.response(for: try key(1)).ended().elements == [nil])
            #expect(directory.files.isEmpty)
        }
        try (content + [0]).write(to: file)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
    }

    @Test func `A changed byte anywhere in a file is a miss and not another response`() throws {
        let (cache, file) = try stored()
        let content = try Data(contentsOf: file)
        for place in content.indices {
            for bit in [0, 5, 7] {
                var changed = content
                changed[place] ^= 1 << bit
                try changed.write(to: file)
                #expect(cache.response(for: try key(1)).ended().elements == [nil], "\(place)")
                #expect(directory.files.isEmpty)
            }
        }
        try content.write(to: file)
        #expect(cache.response(for: try key(1)).ended().elements == [response])
    }

    @Test func `A response with another's file name is a miss`() throws {
        let (cache, file) = try stored()
        try FileManager.default.moveItem(at: file, to: directory.url.appending(path: try key(2).digest + ".response"))
        #expect(cache.response(for: try key(2)).ended().elements == [nil])
        #expect(directory.files.isEmpty)
    }

    @Test func `Random bytes instead of a file are only misses`() throws {
        let (cache, file) = try stored()
        let content = try Data(contentsOf: file)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var changed = content
            for _ in 0..<3 { changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random) }
            try changed.write(to: file)
            let expected = changed == content ? response : nil
            #expect(cache.response(for: try key(1)).ended().elements == [expected])
        }
    }

    @Test func `A link, a pipe and a file of any size instead of a response are misses and are removed`() throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 100_000)
        let place = directory.url.appending(path: try key(1).digest + ".response").path
        let make: [() -> Int32] = [
            { symlink("/etc/hostname", place) }, { symlink("/nowhere", place) }, { mkfifo(place, 0o600) },
            {
                _ = FileManager.default.createFile(atPath: place, contents: Data())
                return truncate(place, 1 << 40)
            },
        ]
        for make in make {
            try #require(make() == 0)
            #expect(cache.response(for: try key(1)).ended().elements == [nil])
            #expect(directory.files.isEmpty)
            #expect(cache.store(response, for: try key(1)).ended().error == nil)
            #expect(cache.response(for: try key(1)).ended().elements == [response])
            _ = cache.removeAll().ended()
        }
    }

    @Test func `Files are readable by their owner only, and contain no secret headers`() throws {
        let cache = try DiskResponseCache(directory: directory.url)
        let server = try running(.get("/a") { _ in .text("x").header("Set-Cookie", "s3cr3t") })
        let chain = URLChain(transport: CurlTransport()).cached(in: cache, .first).headers(["Authorization": "s3cr3t"])
            .route(.get, "\(server.baseURL)/a?token=s3cr3t").data
        #expect(chain.stream().ended().error == nil)
        #expect(chain.stream().ended().elements.count == 2)
        let file = try #require(directory.files.first)
        #expect(try Data(contentsOf: file).range(of: Data("s3cr3t".utf8)) == nil)
        #expect(!file.path.contains("s3cr3t"))
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `Beyond its limit the oldest responses are evicted`() throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 0..<10 {
            _ = cache.store(large(4_000), for: try key(number)).ended()
        }
        let sizes = try directory.files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) <= 20_000)
        #expect(sizes.count >= 3)
        #expect(cache.response(for: try key(9)).ended().elements.first != .some(nil))
        #expect(cache.response(for: try key(0)).ended().elements == [nil])
    }

    private func large(_ bytes: Int) -> CachedResponse { CachedResponse(status: 200, headers: [:], body: Data(count: bytes)) }

    @Test func `Externally removed files take no space: later responses stay`() throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 0..<4 { _ = cache.store(large(4_000), for: try key(number)).ended() }
        for file in directory.files { try FileManager.default.removeItem(at: file) }
        for number in 10..<14 { _ = cache.store(large(4_000), for: try key(number)).ended() }
        for number in 10..<14 { #expect(cache.response(for: try key(number)).ended().elements.first?.map(\.body.count) == 4_000) }
        #expect(directory.files.count == 4)
        for number in 14..<40 { _ = cache.store(large(4_000), for: try key(number)).ended() }
        #expect((3...4).contains(directory.files.count))
    }

    @Test func `Two caches of one directory share its limit`() throws {
        let caches = try (0..<2).map { _ in try DiskResponseCache(directory: directory.url, limit: 100_000) }
        var most = 0
        for number in 0..<200 {
            _ = caches[number % 2].store(large(2_000), for: try key(number)).ended()
            most = max(most, try directory.files.reduce(0) { $0 + (try Data(contentsOf: $1).count) })
        }
        #expect((90_000...125_000).contains(most))
    }

    @Test func `A response beyond the limit evicts no other`() throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 0..<3 { _ = cache.store(large(4_000), for: try key(number)).ended() }
        #expect(cache.store(large(30_000), for: try key(0)).ended().error == nil)
        #expect(cache.response(for: try key(0)).ended().elements == [nil])
        #expect(directory.files.count == 2)
    }

    @Test(arguments: [-100_000_000, 100_000_000])
    func `The oldest response is evicted first, whatever the clock does`(seconds: Int) throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 0..<3 { _ = cache.store(large(4_000), for: try key(number)).ended() }
        // As if the clock had been so far off when these were stored.
        for file in directory.files {
            let time = timespec(tv_sec: time(nil) + seconds, tv_nsec: 0)
            try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
        }
        let other = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 3..<10 {
            _ = other.store(large(4_000), for: try key(number)).ended()
            #expect(other.response(for: try key(number)).ended().elements.first?.map(\.body.count) == 4_000, "\(number)")
        }
        #expect(other.response(for: try key(0)).ended().elements == [nil])
    }

    @Test(arguments: [-7_200, 7_200]) func `Remains of a crash are removed, also with dates in the future`(seconds: Int) throws {
        let file = try directory.file(".crashed.part", Data([1]))
        let time = timespec(tv_sec: time(nil) + seconds, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
        _ = try DiskResponseCache(directory: directory.url)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `Unfinished files of other programs are left alone`() throws {
        let file = try directory.file("film.mp4.part", Data([1]))
        let time = timespec(tv_sec: time(nil) - 7_200, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, file.path, [time, time], 0) == 0)
        _ = try DiskResponseCache(directory: directory.url)
        #expect(FileManager.default.fileExists(atPath: file.path))
    }

    @Test(.startsChild) func `A process killed during writes leaves only complete responses`() async throws {
        let path: String = directory.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let cache = try DiskResponseCache(directory: URL(filePath: path))
            let hasWritten = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                // In the middle of whatever the other thread does then.
                hasWritten.wait()
                kill(getpid(), SIGKILL)
            }
            for round in 0... {
                if round == 20 { hasWritten.signal() }
                let body = Data(repeating: UInt8(truncatingIfNeeded: round), count: 300_000 + round)
                let response = CachedResponse(status: 200, headers: ["X": "\(round)"], body: body)
                _ = cache.store(response, for: CachedResponse.Key(HTTPRequest(.get, URL(filePath: "/\(round % 4)")))).ended()
            }
        }
        let cache = try DiskResponseCache(directory: directory.url)
        let stored = (0..<4).compactMap { number in
            cache.response(for: CachedResponse.Key(HTTPRequest(.get, URL(filePath: "/\(number)")))).ended().elements.first ?? nil
        }
        #expect(!stored.isEmpty)
        for response in stored {
            let round = try #require(response.headers["X"].flatMap { Int($0) })
            #expect(response.body == Data(repeating: UInt8(truncatingIfNeeded: round), count: 300_000 + round))
        }
        #expect(directory.files.count == stored.count)
    }

    @Test func `A directory that cannot be created is a typed error; a missing one is created again`() throws {
        #expect(throws: CachedResponse.Failure.self) { try DiskResponseCache(directory: URL(filePath: "/dev/null/cache")) }
        let gone = directory.url.appending(path: "gone")
        let cache = try DiskResponseCache(directory: gone)
        _ = cache.store(response, for: try key(1)).ended()
        try FileManager.default.removeItem(at: gone)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
        #expect(cache.store(response, for: try key(1)).ended().error == nil)
        #expect(cache.response(for: try key(1)).ended().elements == [response])
        #expect(try FileManager.default.attributesOfItem(atPath: gone.path)[.posixPermissions] as? Int == 0o700)
    }

    /// The responses of a chain with a cache, and its log.
    private func answer(_ cache: DiskResponseCache) throws -> (elements: [Data], nodes: [String]) {
        let server = try running(.get("/a") { _ in .data(Data(count: 100_000)) })
        let logged = Slot<OperationLog>()
        let chain = URLChain(transport: CurlTransport()).cached(in: cache, .first).log(.from(.warning)) { logged.fill($0) }
            .route(.get, "\(server.baseURL)/a").data
        let elements = chain.stream().ended().elements
        return (elements, logged.wait()?.messages.map(\.node) ?? [])
    }

    @Test func `If nothing can be written the response is still delivered and the failure is logged`() throws {
        let gone = directory.url.appending(path: "gone")
        let cache = try DiskResponseCache(directory: gone)
        try FileManager.default.removeItem(at: gone)
        _ = try directory.file("gone", Data())
        var caches = [cache]
        #if os(Linux)
            caches.append(try DiskResponseCache(directory: URL(filePath: "/proc/self")))
        #endif
        for cache in caches {
            let (elements, nodes) = try answer(cache)
            #expect(elements == [Data(count: 100_000)])
            #expect(nodes == ["storing"])
        }
    }

    #if os(Linux)
        @Test(.startsChild) func `On a full disk the response is still delivered, the failure is logged, and nothing is left behind`()
            async throws
        {
            let path: String = directory.url.path
            await #expect(processExitsWith: .success) { [path = path as String] in
                // A file that cannot grow fails in the middle of a write, as on a full disk.
                var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
                signal(SIGXFSZ, SIG_IGN)
                try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let cache = try DiskResponseCache(directory: URL(filePath: path))
                let (elements, nodes) = try DiskCacheTests().answer(cache)
                #expect(elements == [Data(count: 100_000)])
                #expect(nodes == ["storing"])
                #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
            }
        }
    #endif
}
