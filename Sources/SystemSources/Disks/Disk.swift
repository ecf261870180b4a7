import Foundation
import Streams

/// Where files are read and written: the disk of the system, or that of a process in a simulation.
///
/// ```swift
/// let written = quotes.write(appendingTo: journal, flushing: .each, on: disk)
/// let known = disk.read(journal)
/// ```
///
/// A program that takes its disk as an argument runs unchanged on ``SystemDisk`` and on the disk of a simulation, which loses what was not
/// flushed. The sources and sinks of files take one: `lines(of:_:on:)`, `write(appendingTo:)`, `write(replacing:)`.
///
/// Each call is cold, and is made anew for each subscription, where that is made. It fails with a ``SystemSourceError``.
public protocol Disk: Sendable {
    /// Emits the bytes of a file in pieces, and completes at its end. While the consumer is suspended nothing is read.
    func chunks(of file: URL) -> Observable<Data>

    /// Opens a file at whose end is written, and creates it if it is missing.
    func open(_ file: URL) -> Single<any DiskFile>

    /// Creates a file that will take the place of another one, whose mode it has. Fails if the file exists.
    func create(_ file: URL, for other: URL) -> Single<any DiskFile>

    /// Gives a file another name, and removes the one that has it. After a power cut either of the two may have it, until the folder is
    /// flushed.
    func rename(_ file: URL, to name: URL) -> Completable

    /// Removes the name of a file.
    func remove(_ file: URL) -> Completable

    /// Waits until the names in a folder are on the disk.
    func flush(namesIn folder: URL) -> Completable

    /// Emits the number of bytes in a file.
    func size(of file: URL) -> Single<Int>

    /// The file to which a link leads; the argument itself if it is no link.
    func target(of file: URL) -> URL
}

/// A file that was opened for writing. It is closed when it is released.
public protocol DiskFile: AnyObject, Sendable {
    /// The number of bytes that were in the file when it was opened.
    var initialSize: Int { get }

    /// The date of the last write before the file was opened.
    var modificationDate: Date { get }

    /// Whether the name by which the file was opened still leads to it: nobody has moved, removed or replaced it.
    var hasItsName: Bool { get }

    /// Writes bytes at the end of the file, all of them or none. They are in the system then, and not yet on the disk.
    func append(_ data: Data) -> Completable

    /// Waits until everything that was written is on the disk.
    func flush() -> Completable
}

extension Disk {
    /// Emits the content of a file.
    public func read(_ file: URL) -> Single<Data> {
        chunks(of: file).reduce(Data()) { $0 + $1 }.asSingle()
    }
}

extension Disk where Self == SystemDisk {
    /// The disk of the system.
    public static var system: SystemDisk { SystemDisk() }
}
