import Foundation
import Streams

/// The disk of the system. A call is made, and waited for, on the thread that subscribes; a file is read on a thread of its own.
public struct SystemDisk: Disk {
    private static let chunkSize = 65_536

    /// Creates the disk.
    public init() {}

    public func chunks(of file: URL) -> Observable<Data> {
        .onThread { thread in
            let path = file.systemPath
            let descriptor = try Descriptor(opening: path)
            let kind = try descriptor.status(of: path).st_mode & S_IFMT
            guard kind != S_IFDIR else { throw SystemSourceError.isDirectory(path: path) }
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
            defer { buffer.deallocate() }
            while try thread.untilMayEmit() {
                // A regular file is always ready; a pipe without a writer would look as if it had ended.
                if kind != S_IFREG, try thread.wait(reading: [descriptor.number]).isEmpty { continue }
                switch try descriptor.read(into: buffer, path: path) {
                case .bytes(let count): thread.emit(Data(buffer[..<count]))
                case .nothing: continue
                case .end: return
                }
            }
        }
    }

    public func open(_ file: URL) -> Single<any DiskFile> {
        call { try SystemFile(appendingTo: file.systemPath) }
    }

    public func create(_ file: URL, for other: URL) -> Single<any DiskFile> {
        call { try SystemFile(creating: file.systemPath, for: other.systemPath) }
    }

    public func rename(_ file: URL, to name: URL) -> Completable {
        call {
            guard Foundation.rename(file.systemPath, name.systemPath) == 0 else {
                throw SystemSourceError(writing: "rename", path: file.systemPath)
            }
        }.asCompletable()
    }

    public func remove(_ file: URL) -> Completable {
        call {
            guard unlink(file.systemPath) == 0 else { throw SystemSourceError(writing: "unlink", path: file.systemPath) }
        }.asCompletable()
    }

    public func flush(namesIn folder: URL) -> Completable {
        call {
            let opened = try Descriptor(opening: folder.systemPath)
            guard fsync(opened.number) == 0 else { throw SystemSourceError(writing: "fsync", path: folder.systemPath) }
        }.asCompletable()
    }

    public func size(of file: URL) -> Single<Int> {
        call {
            var status = stat()
            guard stat(file.systemPath, &status) == 0 else { throw SystemSourceError("stat", path: file.systemPath) }
            return Int(status.st_size)
        }
    }

    public func target(of file: URL) -> URL {
        let target = realpath(file.systemPath, nil)
        defer { free(target) }
        return target.map { URL(filePath: String(cString: $0), directoryHint: .notDirectory) } ?? file
    }

    private func call<Result>(_ body: @escaping @Sendable () throws -> Result) -> Single<Result> {
        .deferred { .just(try body()) }
    }
}

extension URL {
    /// The path as the system and errors name it.
    var systemPath: String { path(percentEncoded: false) }
}
