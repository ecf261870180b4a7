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

#if os(Linux)
    let isLinux = true
#else
    let isLinux = false
#endif
