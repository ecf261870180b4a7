import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("Lines of a file", .countsResources, .blocksThread)
struct FileLinesTests {
    @Test(arguments: [
        ("", []), ("\n", [""]), ("a\nb\n", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n\r\n", ["a", "b", ""]),
        ("\u{FEFF}a\n", ["a"]),
        ("a\rb\n", ["a\rb"]), ("a\0b\n", ["a\0b"]), ("ä🙂\nö", ["ä🙂", "ö"]),
    ])
    func `Lines are split at line feeds, with or without a carriage return, and the last may lack one`(text: String, lines: [String]) throws
    {
        let place = try Workplace()
        let outcome = Observable.lines(of: try place.write("file", text)).ended()
        #expect(outcome.elements == lines)
        #expect(outcome.error == nil)
    }

    @Test func `A line may span many reads, and a character two of them`() throws {
        let place = try Workplace()
        // 65,536 bytes are read at once: the second byte of an "ä" begins the second read.
        let lines = ["x" + String(repeating: "ä", count: 100_000), "short", String(repeating: "b", count: 65_536)]
        let file = try place.write("file", lines.joined(separator: "\n"))
        #expect(try Observable.lines(of: file).ended().get() == lines)
    }

    @Test func `A hundred thousand lines arrive in order`() throws {
        let place = try Workplace()
        let file = try place.write("file", (0..<100_000).map { "\($0)\n" }.joined())
        let lines = try Observable.lines(of: file).ended().get()
        #expect(lines.count == 100_000)
        #expect(lines.enumerated().allSatisfy { "\($0.offset)" == $0.element })
    }

    @Test func `The file is read anew by each subscription, and not before it`() throws {
        let place = try Workplace()
        let lines = Observable.lines(of: place.url("file"))
        try place.write("file", "first\n")
        #expect(lines.ended().elements == ["first"])
        try place.write("file", "second\n")
        #expect(lines.ended().elements == ["second"])
    }

    @Test func `What cannot be read is a typed error that names the path`() throws {
        let place = try Workplace()
        let missing = place.url("missing")
        #expect(Observable.lines(of: missing).ended().error as? SystemSourceError == .notFound(path: missing.path))
        #expect(Observable.lines(of: place.folder).ended().error as? SystemSourceError == .isDirectory(path: place.folder.path))
        let beneath = try place.write("file", "").appending(path: "name")
        #expect(Observable.lines(of: beneath).ended().error as? SystemSourceError == .notDirectory(path: beneath.path))
        #expect(SystemSourceError.notFound(path: "/x").localizedDescription == "/x does not exist.")
    }

    @Test(.startsChild) func `A file without permission is a typed error`() async {
        // Another user, in a process of its own: the tests may run as one that may read everything.
        await #expect(processExitsWith: .success) {
            let place = try Workplace()
            let file = try place.write("file", "secret")
            chmod(file.path, 0)
            chmod(place.folder.path, 0o755)
            if geteuid() == 0 { seteuid(65_534) }
            #expect(Observable.lines(of: file).ended().error as? SystemSourceError == .notPermitted(path: file.path))
            seteuid(getuid())
        }
    }

    @Test func `A line without an end is a typed error, and is not collected`() {
        let outcome = Observable.lines(of: URL(filePath: "/dev/zero"), LineOptions(maximumLength: 1_000_000)).ended()
        #expect(outcome.elements == [])
        #expect(outcome.error as? SystemSourceError == .lineTooLong(number: 1, limit: 1_000_000))
    }

    @Test func `A line of the maximum length is allowed, and a longer one is named by its number`() throws {
        let place = try Workplace()
        let file = try place.write("file", "12345\n123456\n")
        let outcome = Observable.lines(of: file, LineOptions(maximumLength: 5)).ended()
        #expect(outcome.elements == ["12345"])
        #expect(outcome.error as? SystemSourceError == .lineTooLong(number: 2, limit: 5))
    }

    @Test func `Bytes that are not UTF-8 are replaced, or a typed error that names the line`() throws {
        let place = try Workplace()
        let file = try place.write("file", bytes: Array("good\n".utf8) + [0x62, 0xFF, 0x64, 0x0A])
        #expect(Observable.lines(of: file).ended().elements == ["good", "b\u{FFFD}d"])
        let outcome = Observable.lines(of: file, LineOptions(invalidUTF8: .fail)).ended()
        #expect(outcome.elements == ["good"])
        #expect(outcome.error as? SystemSourceError == .notUTF8(line: 2))
    }

    @Test func `The lines of a named pipe arrive as they are written, until its writer has closed it`() throws {
        let place = try Workplace()
        let pipe = try place.fifo("pipe")
        let arrivals = Arrivals(Observable.lines(of: pipe))
        let writer = try FileHandle(forWritingTo: pipe)
        try writer.write(contentsOf: Data("a\nb".utf8))
        #expect(arrivals.next() == .next("a"))
        try writer.write(contentsOf: Data("c\n".utf8))
        #expect(arrivals.next() == .next("bc"))
        try writer.close()
        #expect(arrivals.next() == .completed)
    }

    @Test func `Disposing ends the wait for a writer that never comes`() throws {
        let place = try Workplace()
        let pipe = try place.fifo("pipe")
        let events = Lock(0)
        for _ in 0..<20 { Observable.lines(of: pipe).subscribe { _ in events.withLock { $0 += 1 } }.dispose() }
        #expect(events.withLock { $0 } == 0)
    }

    @Test func `Nothing is emitted after the disposal, and nothing is read while the observer works`() throws {
        let place = try Workplace()
        let file = try place.write("file", String(repeating: "x\n", count: 100_000))
        #expect(try Observable.lines(of: file).take(3).ended().get() == ["x", "x", "x"])
    }

    @Test(.startsChild) func `Without descriptors left it is a typed error, and nothing of it remains`() async {
        await #expect(processExitsWith: .success) {
            let place = try Workplace()
            let file = try place.write("file", "line\n")
            OpenDescriptors.prepareDispatch()
            let used = try OpenDescriptors.count()
            for spare in 0..<16 {
                try OpenDescriptors.limit(toSpare: spare)
                let outcome = expectNothingLeft(of: Observable.lines(of: file).ended())
                try OpenDescriptors.unlimit()
                guard let error = outcome.error else {
                    #expect(spare > 0 && outcome.elements == ["line"])
                    continue
                }
                guard case .outOfResources? = error as? SystemSourceError, spare < 12 else {
                    Issue.record("\(spare): \(outcome)")
                    continue
                }
            }
            expectNothingLeft(within: bound) { _ = Observable.lines(of: file).ended() }
            #expect(try OpenDescriptors.count() == used)
        }
    }
}

@Suite("Lines of standard input", .countsResources, .blocksThread)
struct StandardInputTests {
    /// A pipe that stands for the input of the process.
    private final class Input {
        let pipe = Pipe()
        let source: StandardInput

        init() { source = StandardInput(pipe.fileHandleForReading.fileDescriptor) }

        func write(_ text: String) throws { try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }
    }

    @Test func `What one subscription has not emitted, the next one does`() throws {
        let input = Input()
        try input.write("one\ntwo\nthree\nfo")
        let lines = input.source.lines(LineOptions())
        #expect(try lines.take(1).ended().get() == ["one"])
        #expect(try lines.take(2).ended().get() == ["two", "three"])
        try input.write("ur\nfive")
        try input.pipe.fileHandleForWriting.close()
        #expect(try lines.ended().get() == ["four", "five"])
        #expect(try lines.ended().get() == [])
    }

    @Test func `A subscription reads when the one before it has ended`() throws {
        let input = Input()
        let first = Arrivals(input.source.lines(LineOptions()))
        try input.write("one\n")
        #expect(first.next() == .next("one"))
        let second = Arrivals(input.source.lines(LineOptions()))
        let third = Arrivals(input.source.lines(LineOptions()))
        try input.write("two\n")
        #expect(first.next() == .next("two"))
        second.dispose()
        first.dispose()
        try input.write("three\n")
        #expect(third.next() == .next("three"))
    }

    @Test func `Disposing ends the wait, and the descriptor stays as it is`() throws {
        let input = Input()
        let flags = fcntl(input.pipe.fileHandleForReading.fileDescriptor, F_GETFL)
        for _ in 0..<20 { input.source.lines(LineOptions()).subscribe().dispose() }
        try input.write("line\n")
        #expect(try input.source.lines(LineOptions()).take(1).ended().get() == ["line"])
        #expect(fcntl(input.pipe.fileHandleForReading.fileDescriptor, F_GETFL) == flags)
    }

    @Test func `A closed input is a typed error`() {
        let source = StandardInput(1_000_000)
        guard case .failed(_, _, code: EBADF)? = source.lines(LineOptions()).ended().error as? SystemSourceError else {
            Issue.record("no error")
            return
        }
    }
}
