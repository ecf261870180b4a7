import Foundation
import StreamsTesting
import SystemSources
import TestSupport
import Testing

@Suite("Changes in a directory", .countsResources, .enabled(if: isLinux, "other systems tell less"), .blocksThread)
struct DirectoryChangesTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// Watches the folder, and has received what was there, so that the watch is set.
    private func watch() throws -> Arrivals<DirectoryChange> {
        close(open(place.url("there").path, O_CREAT | O_WRONLY, 0o600))
        let arrivals = Arrivals(Observable.changes(in: place.folder, includingExisting: true))
        #expect(arrivals.next() == .next(.existing("there")))
        return arrivals
    }

    @Test func `Creation, contents, the end of writing, attributes, renaming and removal are told`() throws {
        let arrivals = try watch()
        let file = place.url("new")
        let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
        #expect(arrivals.next() == .next(.created("new")))
        write(descriptor, "x", 1)
        #expect(arrivals.next() == .next(.modified("new")))
        close(descriptor)
        #expect(arrivals.next() == .next(.closed("new")))
        chmod(file.path, 0o644)
        #expect(arrivals.next() == .next(.attributesChanged("new")))
        rename(file.path, place.url("ä name").path)
        #expect(arrivals.next() == .next(.renamed(from: "new", to: "ä name")))
        unlink(place.url("ä name").path)
        #expect(arrivals.next() == .next(.removed("ä name")))
    }

    @Test func `What is moved in was created, and what is moved out was removed`() throws {
        let other = try Workplace()
        let arrivals = try watch()
        try other.write("file", "x")
        rename(other.url("file").path, place.url("in").path)
        #expect(arrivals.next() == .next(.created("in")))
        rename(place.url("in").path, other.url("out").path)
        #expect(arrivals.next() == .next(.removed("in")))
    }

    @Test func `What happens in folders is not told, but they themselves are`() throws {
        let arrivals = try watch()
        mkdir(place.url("folder").path, 0o700)
        #expect(arrivals.next() == .next(.created("folder")))
        close(open(place.url("folder").appending(path: "deep").path, O_CREAT | O_WRONLY, 0o600))
        unlink(place.url("there").path)
        #expect(arrivals.next() == .next(.removed("there")))
    }

    @Test func `More changes than the system stores are told as such, and the stream goes on`() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
        let goOn = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        let source = Observable.changes(in: place.folder, includingExisting: true).do(onNext: { change in
            guard change == .existing("there") else { return }
            began.signal()
            _ = goOn.wait(timeout: .now() + 600)
        })
        close(open(place.url("there").path, O_CREAT | O_WRONLY, 0o600))
        let arrivals = Arrivals(source)
        #expect(began.wait(timeout: .now() + 600) == .success)
        // Two different changes in turn: equal ones that follow one another count once.
        for index in 0...count {
            link(place.url("there").path, place.url("link\(index % 2)").path); unlink(place.url("link\(index % 2)").path)
        }
        goOn.signal()
        var isTold = false
        while !isTold, let event = arrivals.next() { isTold = event == .next(.overflowed) }
        #expect(isTold)
        mkdir(place.url("after").path, 0o700)
        while let event = arrivals.next(), event != .next(.created("after")) {}
    }

    @Test func `The removal of the directory ends it, also when it is moved`() throws {
        for isMoved in [false, true] {
            let arrivals = try watch()
            if isMoved {
                rename(place.folder.path, place.folder.path + "-moved")
                try FileManager.default.removeItem(atPath: place.folder.path + "-moved")
            } else {
                try FileManager.default.removeItem(at: place.folder)
            }
            var last: Event<DirectoryChange>?
            while let event = arrivals.next() {
                last = event
                if event.isStopEvent { break }
            }
            #expect(last?.error as? SystemSourceError == .removed(path: place.folder.path))
            try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
        }
    }

    @Test func `What cannot be watched is a typed error`() throws {
        let file = try place.write("file", "")
        #expect(Observable.changes(in: file).ended().error as? SystemSourceError == .notDirectory(path: file.path))
        let missing = place.url("missing")
        #expect(Observable.changes(in: missing).ended().error as? SystemSourceError == .notFound(path: missing.path))
    }

    @Test func `Disposing ends the wait`() {
        let events = Lock(0)
        for _ in 0..<20 { Observable.changes(in: place.folder).subscribe { _ in events.withLock { $0 += 1 } }.dispose() }
        #expect(events.withLock { $0 } == 0)
    }
}
