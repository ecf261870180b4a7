import Foundation
import SystemSources

/// A folder of one test, removed with it.
final class Workplace: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appending(path: name) }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> URL {
        try write(name, bytes: Array(text.utf8))
    }

    @discardableResult
    func write(_ name: String, bytes: [UInt8]) throws -> URL {
        try Data(bytes).write(to: url(name))
        return url(name)
    }

    /// Appends as a program that logs does.
    func append(_ name: String, _ text: String) throws {
        let handle = try FileHandle(forWritingTo: url(name))
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
    }

    func script(_ name: String, _ text: String) throws -> URL {
        let file = try write(name, text)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file
    }

    func fifo(_ name: String) throws -> URL {
        guard mkfifo(url(name).path, 0o600) == 0 else { throw POSIXError(.EEXIST) }
        return url(name)
    }
}

/// Gives the running process at most `count` descriptors.
func limitDescriptors(to count: Int) throws {
    var limit = rlimit()
    #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    limit.rlim_cur = rlim_t(count)
    guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
}

/// The number of open descriptors of the running process.
func openDescriptors() throws -> Int {
    #if os(Linux)
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #else
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    #endif
}
