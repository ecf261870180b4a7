import Foundation
import Streams
import SystemSources

/// The disk of one process. When the process is killed, what it did not flush is lost, as in a power cut; the seed decides how much of it.
///
/// Every folder exists, and there are no links. Each call is a line of the trace.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
public final class SimulatedDisk: Disk, @unchecked Sendable {
    private static let chunkSize = 65_536

    private let process: String
    private let loop: EventLoop
    private let trace: Trace
    private let contents = DiskContents()
    /// Emits when a run of the process ends.
    private let ends = PublishSubject<Void>()
    private var slow = CurrentFaults()
    private var full = CurrentFaults()

    init(_ process: String, _ loop: EventLoop, _ trace: Trace) {
        (self.process, self.loop, self.trace) = (process, loop, trace)
    }

    /// The paths of the files, sorted.
    public var paths: [String] { contents.names.keys.sorted() }

    public func chunks(of file: URL) -> Observable<Data> {
        .deferred { [self] in
            let position = Lock(0)
            let next = access { disk -> Data? in
                let path = file.diskPath
                let content = try disk.existing(path).content
                let start = position.withLock { $0 }
                let chunk = content.dropFirst(start).prefix(Self.chunkSize)
                guard !chunk.isEmpty else { return nil }
                disk.note(.read, "bytes \(start)..<\(start + chunk.count) of \(path)")
                position.withLock { $0 += chunk.count }
                return Data(chunk)
            }
            return next.asObservable().repeat().take { $0 != nil }.compactMap { $0 }
        }
    }

    public func open(_ file: URL) -> Single<any DiskFile> {
        access { disk in
            let path = file.diskPath
            if let existing = disk.contents.names[path] { return SimulatedFile(disk, path, existing, shownAs: path) }
            return try disk.created(path, shownAs: path)
        }
    }

    public func create(_ file: URL, for other: URL) -> Single<any DiskFile> {
        access { disk in
            let (path, shown) = (file.diskPath, other.diskPath)
            guard disk.contents.names[path] == nil else { throw SystemSourceError.failed(operation: "open", path: shown, code: EEXIST) }
            return try disk.created(path, shownAs: shown)
        }
    }

    public func rename(_ file: URL, to name: URL) -> Completable {
        access { disk in
            let (old, new) = (file.diskPath, name.diskPath)
            let content = try disk.existing(old)
            guard old != new else { return }
            disk.contents.change([(old, nil), (new, content)], "the renaming of \(old) to \(new)")
            disk.note(.renamed, "\(old) to \(new)")
        }.asCompletable()
    }

    public func remove(_ file: URL) -> Completable {
        access { disk in
            let path = file.diskPath
            _ = try disk.existing(path)
            disk.contents.change([(path, nil)], "the removal of \(path)")
            disk.note(.removed, path)
        }.asCompletable()
    }

    public func flush(namesIn folder: URL) -> Completable {
        access { disk in
            disk.contents.flushNames(through: nil)
            disk.note(.flushed, "the names in \(folder.diskPath)")
        }.asCompletable()
    }

    public func size(of file: URL) -> Single<Int> {
        access { try $0.existing(file.diskPath).content.count }
    }

    public func target(of file: URL) -> URL { file }

    func slow(for duration: Duration, by fault: FaultOccurrence) { slow.add(fault, until: loop.time.now + duration) }

    func fill(for duration: Duration, by fault: FaultOccurrence) { full.add(fault, until: loop.time.now + duration) }

    /// Loses what was not flushed, because the process was killed.
    func loseUnflushed() {
        for loss in contents.loseUnflushed(using: &loop.random) { note(.lost, "\(loss), not flushed") }
    }

    /// Ends the calls of the process, because its run has ended.
    func endCalls() { ends.onNext(()) }

    /// Calls `body` after the time that the disk takes. A process that has ended meanwhile does nothing.
    fileprivate func access<Result: Sendable>(_ body: @escaping @Sendable (SimulatedDisk) throws -> Result) -> Single<Result> {
        .deferred { [self] in
            guard loop.current?.isAlive ?? !loop.isEnding else { return .never() }
            let scheduler = LoopScheduler(loop: loop, owner: .current)
            let delay = slow.hinder(at: loop.time.now) ? Duration.seconds(10) : .microseconds(100)
            let call = Observable<Int>.timer(delay, scheduler: scheduler).map { [self] _ in try body(self) }
            // The test may look at the disk while the process is killed.
            guard loop.current != nil else { return call.asSingle() }
            return call.take(until: ends).ifEmpty(switchTo: Observable<Result>.never()).asSingle()
        }
    }

    fileprivate func requireRoom(for path: String) throws {
        guard !full.hinder(at: loop.time.now) else { throw SystemSourceError.diskFull(path: path) }
    }

    fileprivate func note(_ kind: Trace.Kind, _ what: String) { trace.note(loop.time.now, kind, process, what) }

    fileprivate func leads(_ path: String, to content: DiskContents.Content) -> Bool { contents.names[path] === content }

    fileprivate func flushName(of content: DiskContents.Content) { contents.flushNames(through: content) }

    private func existing(_ path: String) throws -> DiskContents.Content {
        guard let content = contents.names[path] else { throw SystemSourceError.notFound(path: path) }
        return content
    }

    private func created(_ path: String, shownAs shown: String) throws -> SimulatedFile {
        try requireRoom(for: shown)
        let content = DiskContents.Content()
        contents.change([(path, content)], "the creation of \(path)")
        note(.created, path)
        return SimulatedFile(self, path, content, shownAs: shown)
    }
}

/// A file of a simulated disk that is open.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
private final class SimulatedFile: DiskFile, @unchecked Sendable {
    private let disk: SimulatedDisk
    private let path: String
    /// The path that errors name.
    private let shown: String
    private let content: DiskContents.Content
    let initialSize: Int
    let modificationDate: Date

    init(_ disk: SimulatedDisk, _ path: String, _ content: DiskContents.Content, shownAs shown: String) {
        (self.disk, self.path, self.content, self.shown) = (disk, path, content, shown)
        (initialSize, modificationDate) = (content.content.count, content.modificationDate)
    }

    var hasItsName: Bool { disk.leads(path, to: content) }

    func append(_ data: Data) -> Completable {
        disk.access { [path, shown, content] disk in
            try disk.requireRoom(for: shown)
            let start = content.content.count
            content.content += data
            content.modificationDate = SystemWallClock().now
            disk.note(.appended, "bytes \(start)..<\(start + data.count) of \(path)")
        }.asCompletable()
    }

    func flush() -> Completable {
        disk.access { [path, content] disk in
            content.flushed = content.content.count
            disk.flushName(of: content)
            disk.note(.flushed, "bytes 0..<\(content.flushed) of \(path)")
        }.asCompletable()
    }
}

extension URL {
    /// The path of a file in a simulation, where each file has one.
    fileprivate var diskPath: String { standardized.path(percentEncoded: false) }
}
