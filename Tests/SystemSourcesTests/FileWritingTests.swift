import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("Files that are written", .blocksThread)
struct FileWritingTests {
    private let place: Workplace
    private let scheduler = VirtualTimeScheduler()

    init() throws {
        place = try Workplace()
    }

    private func text(_ name: String) throws -> String { String(decoding: try Data(contentsOf: place.url(name)), as: UTF8.self) }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: place.folder.path).sorted() }

    private func error(of written: Completable) -> SystemSourceError? { written.ended().error as? SystemSourceError }

    @Test func `Elements are appended to what is there, whole and in order, and are there when the stream completes`() throws {
        let file = try place.write("log", "old\n")
        let lines = (0..<10_000).map { "line \($0)" }
        let end = expectNothingLeft(of: Observable.from(lines).write(appendingTo: file).ended())
        #expect(end.error == nil)
        #expect(try text("log") == "old\n" + lines.map { $0 + "\n" }.joined())
        #expect(Observable.just(Data([0xFF, 0])).write(appendingTo: place.url("bytes")).ended().error == nil)
        #expect(try Data(contentsOf: place.url("bytes")) == Data([0xFF, 0]))
    }

    @Test func `A file is begun anew before it is too large, and that many are kept`() throws {
        let lines = (0..<10).map { "line \($0)" }
        for kept in 0...2 {
            let file = place.url("log\(kept)")
            let written = Observable.from(lines).write(appendingTo: file, rotation: FileRotation(size: 21, keeping: kept))
            #expect(written.ended().error == nil)
            let expected = ["line 9\n", "line 6\nline 7\nline 8\n", "line 3\nline 4\nline 5\n"]
            let files = ["log\(kept)", "log\(kept).1", "log\(kept).2"].prefix(kept + 1)
            #expect(try files.map(text) == Array(expected.prefix(kept + 1)))
        }
        #expect(try names() == ["log0", "log1", "log1.1", "log2", "log2.1", "log2.2"])
    }

    @Test func `An element that is larger than a file has one of its own`() throws {
        let written = Observable.from(["a", "a long line", "b"]).write(
            appendingTo: place.url("log"), rotation: FileRotation(size: 4, keeping: 9))
        #expect(written.ended().error == nil)
        #expect(try ["log.2", "log.1", "log"].map(text) == ["a\n", "a long line\n", "b\n"])
    }

    @Test func `A file is for a period of the wall clock, also one that an earlier process has left`() throws {
        let file = try place.write("log", "yesterday\n")
        let day = Duration.hours(24)
        let noon = Date(timeIntervalSince1970: 1_000_000 * 86_400 + 43_200)
        try FileManager.default.setAttributes([.modificationDate: noon.addingTimeInterval(-86_400)], ofItemAtPath: file.path)
        let lines = PublishSubject<String>()
        let end = Lock(false)
        let subscription = lines.write(
            appendingTo: file, rotation: FileRotation(period: day, keeping: 9), clock: VirtualWallClock(noon, scheduler: scheduler),
            scheduler: scheduler
        ).asObservable().subscribe(onCompleted: { end.withLock { $0 = true } })
        for (line, hours) in [("a", 0), ("b", 11), ("c", 2), ("d", 23), ("e", 48)] {
            scheduler.advance(by: .hours(hours))
            lines.onNext(line)
            scheduler.advance(by: .zero)
        }
        lines.onCompleted()
        scheduler.advance(by: .zero)
        #expect(end.withLock { $0 })
        #expect(try ["log.4", "log.3", "log.2", "log.1", "log"].map { try text($0) } == ["yesterday\n", "a\nb\n", "c\n", "d\n", "e\n"])
        subscription.dispose()
    }

    @Test func `While the disk is busy the source is suspended: at most 64 elements wait, and none is lost`() throws {
        let taken = Lock(0)
        let source = Observable.range(start: 0, count: 10_000).do(onNext: { _ in taken.withLock { $0 += 1 } }).map { "\($0)" }
        let subscription = source.write(appendingTo: place.url("log"), scheduler: scheduler).asObservable().subscribe()
        #expect(taken.withLock { $0 } == 64)
        scheduler.advance(by: .zero)
        #expect(taken.withLock { $0 } == 10_000)
        #expect(try text("log") == (0..<10_000).map { "\($0)\n" }.joined())
        subscription.dispose()
    }

    @Test func `A file that is moved or removed is begun anew, and a folder that is gone is an error`() throws {
        let folder = place.url("folder")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let file = folder.appending(path: "log")
        let lines = PublishSubject<String>()
        let failure = Lock<(any Error)?>(nil)
        let subscription = lines.write(appendingTo: file, scheduler: scheduler).asObservable()
            .subscribe(onError: { error in failure.withLock { $0 = error } })
        func write(_ line: String) {
            lines.onNext(line)
            scheduler.advance(by: .zero)
        }
        write("a")
        try FileManager.default.moveItem(at: file, to: folder.appending(path: "old"))
        write("b")
        #expect(try text("folder/old") == "a\n")
        #expect(try text("folder/log") == "b\n")
        try FileManager.default.removeItem(at: file)
        write("c")
        #expect(try text("folder/log") == "c\n")
        #expect(failure.withLock { $0 } == nil)
        try FileManager.default.removeItem(at: folder)
        write("d")
        #expect(failure.withLock { $0 } as? SystemSourceError == .notFound(path: folder.path))
        subscription.dispose()
    }

    @Test func `A missing folder, a folder in place of the file and a full disk are typed errors`() throws {
        let line = Observable.just("a")
        let missing = place.url("missing/log")
        let folder = place.url("missing").path
        #expect(error(of: line.write(appendingTo: missing)) == .notFound(path: folder))
        #expect(error(of: line.write(replacing: missing)) == .notFound(path: folder))
        #expect(error(of: line.write(appendingTo: place.folder)) == .isDirectory(path: place.folder.path(percentEncoded: false)))
        #if os(Linux)
            #expect(error(of: line.write(appendingTo: URL(filePath: "/dev/full"))) == .diskFull(path: "/dev/full"))
        #endif
    }

    #if os(Linux)
        @Test(.startsChild) func `What a full disk has taken of an element is cut off`() async {
            await #expect(processExitsWith: .success) {
                // A limit takes the place of a disk: it lets a write begin, too.
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 25, rlim_max: 25)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let place = try Workplace()
                let file = place.url("log")
                let lines = Observable.from(["123456789", "abcdefghi", "no room", "later"])
                let end = lines.write(appendingTo: file).ended()
                #expect(end.error as? SystemSourceError == .failed(operation: "write", path: file.path, code: EFBIG))
                #expect(try String(contentsOf: file, encoding: .utf8) == "123456789\nabcdefghi\n")
            }
        }

        @Test(.startsChild) func `Elements are on the disk when the policy says so`() async {
            // A flush is seen by its failure: the descriptor is closed behind the file's back.
            await #expect(processExitsWith: .success) {
                let place = try Workplace()
                let cases: [(FileFlushing, Duration, String?)] = [
                    (.every(.seconds(1)), .milliseconds(999), nil), (.every(.seconds(1)), .seconds(1), "fsync"),
                    (.atEnd, .hours(24), nil), (.each, .zero, "write"),
                ]
                for (index, (policy, time, expected)) in cases.enumerated() {
                    let scheduler = VirtualTimeScheduler()
                    let path = place.url("\(index)").path
                    let begun = AppendedFile.begin(place.url("\(index)"), nil, policy, on: .system, .system, scheduler)
                    let file = try #require(begun.ended().elements.first)
                    if policy == .each {
                        // Two flushes: that of the element succeeds, and there is nothing left to flush at the end.
                        #expect(operation(of: file.write(Data("a".utf8))) == nil)
                        try closeDescriptor(of: path)
                        #expect(operation(of: file.finish()) == nil)
                        continue
                    }
                    #expect(operation(of: file.write(Data("a".utf8))) == nil)
                    try closeDescriptor(of: path)
                    scheduler.advance(by: time)
                    #expect(operation(of: file.write(Data("b".utf8))) == expected ?? "write", "\(policy) after \(time)")
                }
            }
        }
    #endif

    @Test func `A file is replaced when the stream completes, with its mode, and through a link`() throws {
        let file = try place.write("state", "old")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try FileManager.default.createSymbolicLink(at: place.url("link"), withDestinationURL: file)
        let lines = PublishSubject<String>()
        let end = Lock(false)
        let subscription = lines.write(replacing: place.url("link"), scheduler: scheduler).asObservable()
            .subscribe(onCompleted: { end.withLock { $0 = true } })
        for line in ["new", "content"] {
            lines.onNext(line)
            scheduler.advance(by: .zero)
            #expect(try text("state") == "old")
        }
        lines.onCompleted()
        scheduler.advance(by: .zero)
        #expect(end.withLock { $0 })
        #expect(try text("state") == "new\ncontent\n")
        #expect(try names() == ["link", "state"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
        subscription.dispose()
    }

    @Test func `A stream that fails or is disposed leaves the file as it was, and none beside it`() throws {
        struct Failure: Error {}
        let file = try place.write("state", "old")
        for ends in [{ (lines: PublishSubject<String>, _: any Disposable) in lines.onError(Failure()) }, { $1.dispose() }] {
            let lines = PublishSubject<String>()
            let subscription = lines.write(replacing: file, scheduler: scheduler).asObservable().subscribe(onError: { _ in })
            lines.onNext("new")
            scheduler.advance(by: .zero)
            #expect(try names().count == 2)
            ends(lines, subscription)
            scheduler.advance(by: .zero)
            #expect(try names() == ["state"])
            #expect(try text("state") == "old")
            subscription.dispose()
        }
    }

    @Test func `What came before an error of the source is kept`() throws {
        struct Failure: Error {}
        let source = Observable.just("a").concat(Observable.error(Failure()))
        #expect(source.write(appendingTo: place.url("log")).ended().error is Failure)
        #expect(try text("log") == "a\n")
    }
}

/// The call of the system that has failed.
private func operation(of written: Completable) -> String? {
    guard let error = written.ended().error else { return nil }
    guard case .failed(let operation, _, _)? = error as? SystemSourceError else { return "\(error)" }
    return operation
}

/// Closes the descriptor of an open file.
private func closeDescriptor(of path: String) throws {
    let folder = "/proc/self/fd"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == path else { continue }
        close(try #require(Int32(name)))
    }
}
