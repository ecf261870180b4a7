import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Disk cache", .countsResources)
struct DiskCacheTests {
    private let directory = TemporaryDirectory()
    private let response = CachedResponse(
        status: 200, headers: ["ETag": "\"1\"", "X": "y"], body: Data("body\n\n{}".utf8), variant: ["accept": "0"],
        date: Date(timeIntervalSinceReferenceDate: 1))

    private func key(_ number: Int) throws -> CacheKey { CacheKey(HTTPRequest(.get, try "http://h/\(number)".url())) }

    @Test("what was stored is there for another store of the same directory")
    func persists() throws {
        let cache = try DiskResponseCache(directory: directory.url)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
        #expect(cache.store(response, for: try key(1)).ended().elements.count == 1)
        let other = try DiskResponseCache(directory: directory.url)
        #expect(other.response(for: try key(1)).ended().elements == [response])
        #expect(other.remove(try key(1)).ended().error == nil)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
    }

    @Test("a damaged file is a miss and goes away", arguments: [0, 1, 10, 25, 60, 100])
    func damaged(length: Int) throws {
        let cache = try DiskResponseCache(directory: directory.url)
        _ = cache.store(response, for: try key(1)).ended()
        let file = try #require(directory.files.first)
        let content = try Data(contentsOf: file)
        try #require(content.count > 100)
        try content.prefix(length).write(to: file)
        #expect(cache.response(for: try key(1)).ended().elements == [nil])
        #expect(directory.files.isEmpty)
    }

    @Test("random bytes in place of a file never do more than miss")
    func fuzz() throws {
        let cache = try DiskResponseCache(directory: directory.url)
        _ = cache.store(response, for: try key(1)).ended()
        let file = try #require(directory.files.first)
        let content = try Data(contentsOf: file)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var changed = content
            for _ in 0..<3 { changed[Int.random(in: 0..<changed.count, using: &random)] = .random(in: 0...255, using: &random) }
            try changed.write(to: file)
            #expect(cache.response(for: try key(1)).ended().error == nil)
        }
    }

    @Test("files can be read by their owner only, and hold no secrets of the headers")
    func secrets() throws {
        let cache = try DiskResponseCache(directory: directory.url)
        let server = LoopbackServer(routes: [.get("/a") { _ in .text("x").header("Set-Cookie", "s3cr3t") }])
        try server.start()
        defer { server.stop() }
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

    @Test("beyond its limit what was stored first goes")
    func limit() throws {
        let cache = try DiskResponseCache(directory: directory.url, limit: 20_000)
        for number in 0..<10 {
            let large = CachedResponse(status: 200, headers: [:], body: Data(count: 4_000))
            _ = cache.store(large, for: try key(number)).ended()
        }
        let sizes = try directory.files.map { try Data(contentsOf: $0).count }
        #expect(sizes.reduce(0, +) <= 20_000)
        #expect(sizes.count >= 3)
        #expect(cache.response(for: try key(9)).ended().elements.first != .some(nil))
        #expect(cache.response(for: try key(0)).ended().elements == [nil])
    }

    @Test("a process that is killed in the middle of its writes leaves whole responses only")
    func killed() async throws {
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
                _ = cache.store(response, for: CacheKey(HTTPRequest(.get, URL(filePath: "/\(round % 4)")))).ended()
            }
        }
        let cache = try DiskResponseCache(directory: directory.url)
        let stored = (0..<4).compactMap { number in
            cache.response(for: CacheKey(HTTPRequest(.get, URL(filePath: "/\(number)")))).ended().elements.first ?? nil
        }
        #expect(!stored.isEmpty)
        for response in stored {
            let round = try #require(response.headers["X"].flatMap { Int($0) })
            #expect(response.body == Data(repeating: UInt8(truncatingIfNeeded: round), count: 300_000 + round))
        }
        #expect(directory.files.count == stored.count)
    }

    @Test("a directory that cannot be made is a typed error, one that has gone is logged and the answer still comes")
    func unwritable() throws {
        #expect(throws: CacheError.self) { try DiskResponseCache(directory: URL(filePath: "/dev/null/cache")) }
        let gone = directory.url.appending(path: "gone")
        let cache = try DiskResponseCache(directory: gone)
        try FileManager.default.removeItem(at: gone)
        let server = LoopbackServer(routes: [.get("/a") { _ in .text("x") }])
        try server.start()
        defer { server.stop() }
        let logged = Slot<OperationLog>()
        let chain = URLChain(transport: CurlTransport()).cached(in: cache, .first).log(.from(.warning)) { logged.fill($0) }
            .route(.get, "\(server.baseURL)/a").data
        #expect(chain.stream().ended().elements == [Data("x".utf8)])
        #expect(logged.wait()?.messages.map(\.node) == ["URLCacheWriterNode"])
    }
}
