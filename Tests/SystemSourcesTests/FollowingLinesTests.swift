import Foundation
import StreamsTesting
import SystemSources
import TestSupport
import Testing

@Suite("Lines of a growing file", .countsResources, .blocksThread)
struct FollowingLinesTests {
    private let place: Workplace
    private var log: URL { place.url("log") }

    init() throws { place = try Workplace() }

    private func rename(_ from: String, _ to: String) throws {
        guard Foundation.rename(place.url(from).path, place.url(to).path) == 0 else { throw POSIXError(.ENOENT) }
    }

    /// Follows the file from its beginning, and has read the first line.
    private func follow() throws -> Arrivals<String> {
        try place.write("log", "first\n")
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        #expect(arrivals.next() == .next("first"))
        return arrivals
    }

    @Test func `Lines arrive when their line feed is written`() throws {
        let arrivals = try follow()
        try place.append("log", "a\nb")
        #expect(arrivals.next() == .next("a"))
        try place.append("log", "c\nd\n")
        #expect(arrivals.elements(2) == ["bc", "d"])
    }

    @Test(
        arguments: [
            ("a\nb\nc\n", 2, ["b", "c"]), ("a\nb\nc\n", 3, ["a", "b", "c"]), ("a\nb\n", 9, ["a", "b"]), ("a\n\n\n", 2, ["", ""]),
            ("a\nb\nc", 2, ["b", "c"]), ("a\nb\nc", 3, ["a", "b", "c"]), ("\n", 1, [""]), ("a\nb\n", 0, []), ("", 5, []),
            (
                String(repeating: "x", count: 200_000) + "\n" + String(repeating: "y\n", count: 70_000), 70_000,
                Array(repeating: "y", count: 70_000)
            ),
        ])
    func `It can begin with the last lines`(text: String, count: Int, expected: [String]) throws {
        try place.write("log", text)
        let arrivals = Arrivals(Observable.lines(following: log, from: .lastLines(count)))
        let isComplete = text.isEmpty || text.hasSuffix("\n")
        let lines = isComplete ? expected : Array(expected.dropLast())
        #expect(arrivals.elements(lines.count) == lines)
        guard !isComplete, let last = expected.last else { return }
        try place.append("log", "!\n")
        #expect(arrivals.next() == .next(last + "!"))
    }

    @Test func `A line that is too long is cut where that is wished, and the next one is whole`() throws {
        try place.write("log", String(repeating: "x", count: 300_000) + "\nnext\n")
        let arrivals = Arrivals(
            Observable.lines(following: log, from: .lastLines(2), LineOptions(maximumLength: 1_000, longLines: .cut)))
        #expect(arrivals.elements(2) == [String(repeating: "x", count: 1_000), "next"])
    }

    @Test func `By default it begins at the end`() throws {
        try place.write("log", "old\n")
        let arrivals = Arrivals(Observable.lines(following: log))
        let isReceived = BooleanDisposable()
        let hasEnded = DispatchSemaphore(value: 0)
        // When the subscription begins to read is not known: some of these lines are before that.
        Thread.detachNewThread { [place] in
            while !isReceived.isDisposed { try? place.append("log", "new\n") }
            hasEnded.signal()
        }
        #expect(arrivals.next() == .next("new"))
        isReceived.dispose()
        hasEnded.wait()
    }

    @Test func `A rotated file is read to its end, also what is written to it after the new one was created`() throws {
        let arrivals = try follow()
        for round in 0..<5 {
            let old = try FileHandle(forWritingTo: log)
            try old.seekToEnd()
            try rename("log", "log.\(round)")
            try place.write("log", "")
            try old.write(contentsOf: Data("last of \(round)\n".utf8))
            #expect(arrivals.next() == .next("last of \(round)"))
            try old.write(contentsOf: Data("incomplete".utf8))
            try place.append("log", "first of \(round)\n")
            #expect(arrivals.elements(2) == ["incomplete", "first of \(round)"])
        }
    }

    /// Another path to the folder, which the system takes long to resolve: what happens between two calls with it happens often.
    private func longWay() throws -> URL {
        for number in 0..<30 {
            let target = String(repeating: "./", count: 1_900) + (number == 0 ? "" : "way\(number - 1)")
            guard symlink(target, place.url("way\(number)").path) == 0 else { throw POSIXError(.ENAMETOOLONG) }
        }
        return place.url("way29")
    }

    @Test(.enabled(if: isLinux, "the paths of other systems are shorter"))
    func `After many quick rotations the next line arrives`() throws {
        try place.write("log", "first\n")
        let arrivals = Arrivals(Observable.lines(following: try longWay().appending(path: "log"), from: .beginning))
        #expect(arrivals.next() == .next("first"))
        for round in 0..<40 {
            for rotation in 0..<20 {
                try place.write("new", "\(round).\(rotation)\n")
                try rename("new", "log")
            }
            var event = arrivals.next()
            while let line = event?.element, line != "\(round).19" { event = arrivals.next() }
            #expect(event == .next("\(round).19"))
            // The first of them may be read together with what was there: only then nothing is left that wakes the reader.
            for line in 0..<3 {
                try place.append("log", "\(round).next.\(line)\n")
                #expect(arrivals.next() == .next("\(round).next.\(line)"))
            }
        }
    }

    @Test func `A truncated file is read from its beginning`() throws {
        let arrivals = try follow()
        try place.append("log", "a long line, so that the next contents are shorter\n")
        _ = arrivals.next()
        truncate(log.path, 0)
        try place.append("log", "anew\n")
        #expect(arrivals.next() == .next("anew"))
    }

    @Test func `A file that does not exist is waited for, and one that is removed too`() throws {
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        try place.write("other", "no\n")
        try place.write("log", "first\n")
        #expect(arrivals.next() == .next("first"))
        try FileManager.default.removeItem(at: log)
        try place.write("log", "second\n")
        #expect(arrivals.next() == .next("second"))
    }

    @Test func `A link that is changed to another file is followed`() throws {
        try place.write("one", "1\n")
        try place.write("two", "2\n")
        try FileManager.default.createSymbolicLink(at: log, withDestinationURL: place.url("one"))
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        #expect(arrivals.next() == .next("1"))
        try place.append("one", "1b\n")
        #expect(arrivals.next() == .next("1b"))
        try FileManager.default.createSymbolicLink(at: place.url("next"), withDestinationURL: place.url("two"))
        try rename("next", "log")
        #expect(arrivals.next() == .next("2"))
    }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(at: place.url(name), withIntermediateDirectories: true)
    }

    /// Makes a link, or lets one lead elsewhere in one step.
    private func link(_ name: String, to target: String) throws {
        guard symlink(target, place.url("link").path) == 0 else { throw POSIXError(.EEXIST) }
        try rename("link", name)
    }

    /// Follows `log`, a link over another one in `pods` to a file in `containers`, as the logs of containers are.
    private func followContainer() throws -> Arrivals<String> {
        for folder in ["pods", "containers/1"] { try makeFolder(folder) }
        try place.write("containers/1/json.log", "first\n")
        try link("pods/0.log", to: place.url("containers/1/json.log").path)
        try link("log", to: "./pods/../pods/0.log")
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        #expect(arrivals.next() == .next("first"))
        return arrivals
    }

    @Test func `The target of a link is rotated in another folder, over a chain of links`() throws {
        let arrivals = try followContainer()
        for round in 0..<5 {
            try rename("containers/1/json.log", "containers/1/json.log.\(round)")
            try place.append("containers/1/json.log.\(round)", "last of \(round)\n")
            #expect(arrivals.next() == .next("last of \(round)"))
            try place.write("containers/1/json.log", "first of \(round)\n")
            #expect(arrivals.next() == .next("first of \(round)"))
        }
    }

    @Test func `A link in the middle of a chain is changed, to a folder that was not on the way before`() throws {
        let arrivals = try followContainer()
        for round in 2..<5 {
            try makeFolder("containers/\(round)")
            try place.write("containers/\(round)/json.log", "")
            try link("pods/0.log", to: "../containers/\(round)/json.log")
            try place.append("containers/\(round)/json.log", "\(round)\n")
            #expect(arrivals.next() == .next("\(round)"))
        }
        try rename("containers/4/json.log", "containers/4/json.log.1")
        try place.write("containers/4/json.log", "rotated\n")
        #expect(arrivals.next() == .next("rotated"))
    }

    @Test func `A link that leads nowhere is waited for, with each folder of its target`() throws {
        try link("log", to: "a/b/c/log")
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        for folder in ["a", "a/b", "a/b/c"] { try makeFolder(folder) }
        try place.write("a/b/c/log", "first\n")
        #expect(arrivals.next() == .next("first"))
        // A file that is removed with all its folders may come again, also over another link.
        try FileManager.default.removeItem(at: place.url("a"))
        try makeFolder("elsewhere/c")
        try place.write("elsewhere/c/log", "second\n")
        try makeFolder("a")
        try link("a/b", to: place.url("elsewhere").path)
        #expect(arrivals.next() == .next("second"))
        try rename("elsewhere/c", "elsewhere/old")
        try makeFolder("elsewhere/c")
        try place.write("elsewhere/c/log", "third\n")
        #expect(arrivals.next() == .next("third"))
    }

    @Test func `A folder far above the target is renamed, and another one takes its place`() throws {
        try makeFolder("data/x/y/z")
        try place.write("data/x/y/z/log", "first\n")
        try link("log", to: "data/x/y/z/log")
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning))
        #expect(arrivals.next() == .next("first"))
        try makeFolder("new/x/y/z")
        try place.write("new/x/y/z/log", "second\n")
        try rename("data", "old")
        try rename("new", "data")
        #expect(arrivals.next() == .next("second"))
    }

    @Test(arguments: [true, false])
    func `A link to the folder itself leads to another one`(inOneStep: Bool) throws {
        for release in 1...2 { try makeFolder("release-\(release)") }
        try place.write("release-1/log", "1\n")
        try place.write("release-2/log", "2\n")
        try link("current", to: "release-1")
        let arrivals = Arrivals(Observable.lines(following: place.url("current/log"), from: .beginning))
        #expect(arrivals.next() == .next("1"))
        if !inOneStep {
            unlink(place.url("current").path)
            try place.append("release-1/log", "still\n")
            #expect(arrivals.next() == .next("still"))
        }
        try link("current", to: "release-2")
        #expect(arrivals.next() == .next("2"))
        // The folder that it leads to is no link: when that is removed nothing is left to wait for.
        try FileManager.default.removeItem(at: place.url("release-2"))
        #expect(arrivals.next()?.error as? SystemSourceError == .removed(path: place.url("current").path))
    }

    @Test func `Links that lead to one another are a typed error`() throws {
        try link("log", to: "other")
        try link("other", to: "log")
        let error = Observable.lines(following: log).ended().error as? SystemSourceError
        guard case .failed("open", _, ELOOP)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `A rotation while lines are written loses and repeats nothing`() throws {
        let arrivals = try follow()
        for round in 0..<30 {
            let lines = (0..<40).map { "\(round) \($0)" }
            for line in lines[..<20] { try place.append("log", line + "\n") }
            try rename("log", "log.\(round)")
            try place.write("log", "")
            for line in lines[20...] { try place.append("log", line + "\n") }
            // Only one rotation at a time: of a file that is replaced before it was seen nothing is read.
            #expect(arrivals.elements(40) == lines)
        }
    }

    @Test func `What cannot be followed is a typed error`() throws {
        let pipe = try place.fifo("pipe")
        #expect(Observable.lines(following: pipe).ended().error as? SystemSourceError == .notRegularFile(path: pipe.path))
        let folder = Observable.lines(following: place.folder).ended().error as? SystemSourceError
        #expect(folder == .isDirectory(path: place.folder.path(percentEncoded: false)))
        let nowhere = place.url("missing").appending(path: "log")
        #expect(Observable.lines(following: nowhere).ended().error as? SystemSourceError == .notFound(path: place.url("missing").path))
    }

    @Test func `The removal of the directory is a typed error`() throws {
        let arrivals = try follow()
        try FileManager.default.removeItem(at: place.folder)
        #expect(arrivals.next()?.error as? SystemSourceError == .removed(path: place.folder.path))
    }

    @Test func `Disposing ends the wait`() throws {
        try place.write("log", "")
        let events = Lock(0)
        for _ in 0..<20 { Observable.lines(following: log).subscribe { _ in events.withLock { $0 += 1 } }.dispose() }
        #expect(events.withLock { $0 } == 0)
    }
}
