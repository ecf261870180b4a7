import Foundation

/// A directory that goes away with its test.
public final class TemporaryDirectory: Sendable {
    public let url = FileManager.default.temporaryDirectory.appending(path: "netnodes-\(UUID().uuidString)", directoryHint: .isDirectory)

    public init() {
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The files in it that do not begin with a dot, sorted by name.
    public var files: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { url.appending(path: $0) }
    }

    /// Everything in it, by name.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// A file with this content.
    public func file(_ name: String, _ content: Data) throws -> URL {
        let file = url.appending(path: name)
        try content.write(to: file)
        return file
    }
}
