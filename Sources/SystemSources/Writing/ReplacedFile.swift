import Foundation

/// A file that is written beside the one whose place it takes when it is complete.
final class ReplacedFile: WrittenFile {
    private let path: String
    private let part: String
    private let state: Lock<(output: OutputFile, isComplete: Bool)>

    init(_ path: String) throws(SystemSourceError) {
        // A link leads to the new content: what it leads to is replaced.
        let target = realpath(path, nil)
        defer { free(target) }
        self.path = target.map { String(cString: $0) } ?? path
        let url = URL(filePath: self.path)
        let name = ".\(url.lastPathComponent).\(String(UInt64.random(in: 0 ... .max), radix: 16)).part"
        part = url.deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
        state = Lock((try OutputFile(creating: part, for: self.path), false))
    }

    deinit {
        if !state.withLock({ $0.isComplete }) { unlink(part) }
    }

    func write(_ data: Data) throws {
        try state.withLock { try $0.output.write(data) }
    }

    /// The file is as before.
    func keep() {}

    func finish() throws {
        try state.withLock { state in
            try state.output.flush()
            guard rename(part, path) == 0 else { throw SystemSourceError(writing: "rename", path: path) }
            state.isComplete = true
        }
        // The name is on the disk, too.
        try? OutputFile.flushFolder(of: path)
    }
}
