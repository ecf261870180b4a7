import Foundation
import Streams

/// When a file that is written has what was written on the disk, so that a power cut does not lose it. What was written is in the system at
/// once in any case: the end of the process loses nothing.
public enum FileFlushing: Sendable, Equatable {
    /// After each element, before the next one is taken.
    case each
    /// At most this long after each element.
    case every(Duration)
    /// At the end of the stream, and before a rotation.
    case atEnd
}

/// How a file that grows makes room: it is renamed to `name.1`, the one that had this name to `name.2` and so on, and begins anew.
public struct FileRotation: Sendable, Equatable {
    /// The number of bytes that a file has at most, unless one element has more; `nil` means any number.
    public var size: Int?
    /// The time that a file is for, on the wall clock; `nil` means any time. A file has what is written between two multiples of it, counted
    /// from 1970 in UTC: with `.hours(24)` it is a day's.
    public var period: Duration?
    /// The number of files that are kept beside the one that is written.
    public var kept: Int

    /// Creates a rotation by size, by time, or by what comes first.
    public init(size: Int? = nil, period: Duration? = nil, keeping kept: Int) {
        (self.size, self.period, self.kept) = (size, period, kept)
    }
}

extension ObservableType<Data> {
    /// Appends each element to a file, and completes when all are on the disk.
    ///
    /// ```swift
    /// let written = records.write(appendingTo: journal, rotation: FileRotation(size: 10 << 20, keeping: 5))
    /// // --a--b--c--|
    /// // -----------|
    /// ```
    ///
    /// The file is opened, or created, for each subscription, in a folder that exists. An element is written with one call of the system,
    /// on `scheduler`, and whole or not at all: what a full disk has taken of it is cut off, and the stream fails. While a write takes
    /// longer than the source, the source is suspended; at most 80 elements wait. A file that is moved or removed while it is written, as
    /// by `logrotate`, is begun anew at the next element. Disposing closes the file, and keeps what was written.
    ///
    /// One subscription at a time writes a file that is rotated.
    ///
    /// Fails with the error of the source, after what came before it has been written, and with a ``SystemSourceError``: `diskFull`,
    /// `notFound` for the folder, `notPermitted`, `isDirectory`, `outOfResources`, `failed`.
    /// Source: [write(2)](https://man7.org/linux/man-pages/man2/write.2.html).
    ///
    /// - Parameters:
    ///   - file: the file, in a folder that exists.
    ///   - rotation: when the file begins anew; `nil` means never.
    ///   - flushing: when the elements are on the disk.
    ///   - disk: the disk that the file is on.
    ///   - clock: the clock of the rotation by time.
    ///   - scheduler: the scheduler that writes, and measures the time until a flush.
    public func write(
        appendingTo file: URL, rotation: FileRotation? = nil, flushing: FileFlushing = .every(.seconds(1)), on disk: any Disk = .system,
        clock: any WallClock = .system, scheduler: any Scheduler = SerialDispatchQueueScheduler(label: "streams.file")
    ) -> Completable {
        written(on: scheduler) { AppendedFile.begin(file, rotation, flushing, on: disk, clock, scheduler) }
    }

    /// Writes all elements to a file that takes the place of an existing one when the stream completes: whole, or not at all.
    ///
    /// ```swift
    /// let saved = records.write(replacing: journal)
    /// ```
    ///
    /// The elements are written beside the file, under a name of their own, flushed, and renamed. Whoever opens the file meanwhile, and
    /// after a power cut, finds the old content or the new one. An existing file keeps its mode, and a link leads to the new content. If
    /// the stream fails or is disposed, the file is as before.
    ///
    /// Otherwise like `write(appendingTo:rotation:flushing:on:clock:scheduler:)`.
    public func write(
        replacing file: URL, on disk: any Disk = .system, scheduler: any Scheduler = SerialDispatchQueueScheduler(label: "streams.file")
    ) -> Completable {
        written(on: scheduler) { ReplacedFile.begin(file, on: disk) }
    }

    private func written(
        on scheduler: any Scheduler, _ begin: @escaping @Sendable () -> Observable<any WrittenFile>
    ) -> Completable {
        let source = asObservable()
        return Observable.deferred(begin).flatMap { file in
            source.observe(on: scheduler, overflow: .suspend(capacity: 64))
                .concatMap { file.write($0) }
                .asCompletable()
                .catch { error in file.keep().catch { _ in .empty() }.andThen(.error(error)) }
                .andThen(.deferred { file.finish() })
                .do(onDispose: { file.close() })
        }.asCompletable()
    }
}

extension ObservableType<String> {
    /// Appends each element to a file as a line of UTF-8, with a line feed at its end. Otherwise like
    /// `write(appendingTo:rotation:flushing:on:clock:scheduler:)` of bytes.
    ///
    /// ```swift
    /// let logged = quotes.write(appendingTo: journal, rotation: FileRotation(period: .hours(24), keeping: 7))
    /// ```
    public func write(
        appendingTo file: URL, rotation: FileRotation? = nil, flushing: FileFlushing = .every(.seconds(1)), on disk: any Disk = .system,
        clock: any WallClock = .system, scheduler: any Scheduler = SerialDispatchQueueScheduler(label: "streams.file")
    ) -> Completable {
        map { Data(($0 + "\n").utf8) }
            .write(appendingTo: file, rotation: rotation, flushing: flushing, on: disk, clock: clock, scheduler: scheduler)
    }

    /// Writes all elements as lines to a file that takes the place of an existing one when the stream completes. Otherwise like
    /// `write(replacing:on:scheduler:)` of bytes.
    public func write(
        replacing file: URL, on disk: any Disk = .system, scheduler: any Scheduler = SerialDispatchQueueScheduler(label: "streams.file")
    ) -> Completable {
        map { Data(($0 + "\n").utf8) }.write(replacing: file, on: disk, scheduler: scheduler)
    }
}

/// A file of one subscription.
protocol WrittenFile: AnyObject, Sendable {
    /// Writes an element, whole or not at all.
    func write(_ data: Data) -> Completable
    /// Keeps what was written, because the stream fails.
    func keep() -> Completable
    /// Ends the file after the last element.
    func finish() -> Completable
    /// Stops what is still underway, because the subscription has ended. Idempotent.
    func close()
}
