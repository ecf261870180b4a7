import Foundation
import Streams

/// A file that is written beside the one whose place it takes when it is complete.
final class ReplacedFile: WrittenFile {
    private let disk: any Disk
    private let target: URL
    private let part: URL
    private let file: any DiskFile
    /// Whether there is a file beside the other.
    private let isBegun = Lock(true)

    private init(_ disk: any Disk, _ target: URL, _ part: URL, _ file: any DiskFile) {
        (self.disk, self.target, self.part, self.file) = (disk, target, part, file)
    }

    /// A file that was created when the subscription ended has never been begun.
    deinit { close() }

    /// Begins a file. A link leads to the new content: what it leads to is replaced.
    static func begin(_ link: URL, on disk: any Disk) -> Observable<any WrittenFile> {
        .deferred {
            let target = disk.target(of: link)
            let name = ".\(target.lastPathComponent).\(randomIdentifier()).part"
            let part = target.folder.appending(path: name, directoryHint: .notDirectory)
            return disk.create(part, for: target).asObservable().map { ReplacedFile(disk, target, part, $0) }
        }
    }

    func write(_ data: Data) -> Completable { file.append(data) }

    /// The file is as before.
    func keep() -> Completable { .empty() }

    func finish() -> Completable {
        let named = disk.rename(part, to: target).do(onCompleted: { [self] in isBegun.withLock { $0 = false } })
        // The name is on the disk, too.
        let kept = disk.flush(namesIn: target.folder).catch { _ in .empty() }
        return Completable.concat(file.flush(), named, kept)
    }

    func close() {
        let remains = isBegun.withLock { isBegun in
            defer { isBegun = false }
            return isBegun
        }
        if remains { _ = disk.remove(part).subscribe(onError: { _ in }) }
    }
}

extension URL {
    /// The folder of a file.
    var folder: URL { deletingLastPathComponent() }
}
