import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("Suspended sources of the system", .countsResources, .blocksThread)
struct SuspensionTests {
    /// More than is read at once, several times.
    private static let numbers = (0..<5_000).map { "\($0) \(String(repeating: "x", count: 60))" }

    /// Takes all elements of a source that is suspended at each.
    private func takeAll<Element>(_ source: Observable<Element>) -> (elements: [Element], end: Event<Element>?) {
        let arrivals = Arrivals(source, suspendedFrom: 0)
        var elements: [Element] = []
        while let event = arrivals.next() {
            guard let element = event.element else { return (elements, event) }
            elements.append(element)
            #expect(arrivals.count == 0)
            arrivals.resume()
        }
        return (elements, nil)
    }

    @Test func `Suspended and resumed at each line, a file arrives whole and in order`() throws {
        let place = try Workplace()
        let file = try place.write("file", Self.numbers.joined(separator: "\n"))
        let (lines, end) = takeAll(.lines(of: file))
        #expect(lines == Self.numbers)
        #expect(end == .completed)
    }

    @Test func `Suspended and resumed by another thread all the time, a file arrives whole and in order`() throws {
        let place = try Workplace()
        let arrivals = Arrivals(Observable.lines(of: try place.write("file", Self.numbers.joined(separator: "\n"))))
        let hasEnded = BooleanDisposable()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !hasEnded.isDisposed {
                arrivals.suspend()
                arrivals.resume()
            }
            done.signal()
        }
        #expect(arrivals.elements(Self.numbers.count) == Self.numbers)
        #expect(arrivals.next() == .completed)
        hasEnded.dispose()
        done.wait()
    }

    @Test func `Sources on several threads that are suspended through joins and queues arrive whole, each in order`() throws {
        let place = try Workplace()
        let names = ["a", "b", "c"]
        let lines = Self.numbers[..<500]
        let sources = try names.map { name in
            Observable.lines(of: try place.write(name, lines.map { name + $0 }.joined(separator: "\n")))
        }
        let queue = SerialDispatchQueueScheduler(qos: .default)
        let chains: [Observable<String>] = [
            .merge(sources), .merge(sources.map { $0.observe(on: queue) }), .merge(sources).observe(on: queue), .concat(sources),
            Observable<Observable<String>>.from(sources).flatMap(maxConcurrent: 2) { $0 },
        ]
        for chain in chains {
            let arrivals = Arrivals(chain, suspendedFrom: 0)
            var received: [String] = []
            while let line = arrivals.next()?.element {
                received.append(line)
                arrivals.resume()
            }
            for name in names { #expect(received.filter { $0.hasPrefix(name) } == lines.map { name + $0 }) }
        }
    }

    @Test func `A file that is suspended through tasks arrives whole and in order`() async throws {
        let place = try Workplace()
        let file = try place.write("lines", Self.numbers.joined(separator: "\n"))
        var received: [String] = []
        for try await line in Observable.lines(of: file).mapAsync({ $0 }).values(overflow: .suspend(capacity: 2)) { received.append(line) }
        #expect(received == Self.numbers)
    }

    @Test func `While its consumer is suspended a named pipe is read no further`() throws {
        let place = try Workplace()
        let pipe = try place.fifo("pipe")
        let arrivals = Arrivals(Observable.lines(of: pipe), suspendedFrom: 0)
        let writer = try FileHandle(forWritingTo: pipe)
        try writer.write(contentsOf: Data("first\n".utf8))
        #expect(arrivals.next() == .next("first"))
        // Nobody reads: the pipe is full after as many bytes as it holds.
        let lines = Data(String(repeating: "line\n", count: 2_000).utf8)
        _ = fcntl(writer.fileDescriptor, F_SETFL, O_WRONLY | O_NONBLOCK)
        var written = 0
        while written < 4_000_000 {
            let count = lines.withUnsafeBytes { write(writer.fileDescriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            written += count
        }
        #expect(written < 4_000_000 && arrivals.count == 0)
        try writer.close()
        arrivals.dispose()
    }

    @Test(.startsChild, .enabled(if: isLinux, "the position of a descriptor is told there"))
    func `While its consumer is suspended at most 64 KB of a file have been read`() async {
        // A process of its own, in which no other test opens a file of that path.
        await #expect(processExitsWith: .success) {
            let place = try Workplace()
            let file = try place.write("file", String(repeating: "line\n", count: 1_000_000))
            let arrivals = Arrivals(Observable.lines(of: file), suspendedFrom: 9)
            #expect(arrivals.elements(10).count == 10)
            let folder = "/proc/self/fd"
            let descriptor = try FileManager.default.contentsOfDirectory(atPath: folder).first { number in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(number)")) == file.path
            }
            let information = try String(contentsOfFile: "/proc/self/fdinfo/\(try #require(descriptor))", encoding: .utf8)
            #expect(information.hasPrefix("pos:\t65536\n"), "\(information)")
            #expect(arrivals.count == 0)
            arrivals.resume()
            #expect(arrivals.next() == .next("line"))
            arrivals.dispose()
        }
    }

    @Test func `Disposed while it is suspended, a source ends`() throws {
        let place = try Workplace()
        let file = try place.write("file", "one\ntwo\nthree\n")
        let program = shell("echo one; echo two; exec sleep 1000")
        for source in [Observable.lines(of: file), .lines(following: file, from: .beginning), program.lines()] {
            let arrivals = Arrivals(source, suspendedFrom: 0)
            #expect(arrivals.next() == .next("one"))
            arrivals.dispose()
            arrivals.resume()
            #expect(arrivals.count == 0)
        }
    }

    @Test func `A suspended subscription of standard input leaves to the next one what it has not emitted`() throws {
        let pipe = Pipe()
        let source = StandardInput(pipe.fileHandleForReading.fileDescriptor)
        try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntwo\nthree".utf8))
        let first = Arrivals(source.lines(LineOptions()), suspendedFrom: 0)
        #expect(first.next() == .next("one"))
        first.resume()
        #expect(first.next() == .next("two"))
        first.dispose()
        try pipe.fileHandleForWriting.write(contentsOf: Data("\nfour\nfive".utf8))
        try pipe.fileHandleForWriting.close()
        let (lines, end) = takeAll(source.lines(LineOptions()))
        #expect(lines == ["three", "four", "five"])
        #expect(end == .completed)
    }

    @Test func `A followed file that grows and is replaced while its consumer is suspended is read afterwards`() throws {
        let place = try Workplace()
        let log = try place.write("log", "first\n")
        let arrivals = Arrivals(Observable.lines(following: log, from: .beginning), suspendedFrom: 0)
        #expect(arrivals.next() == .next("first"))
        try place.append("log", "second\nthi")
        guard rename(log.path, place.url("old").path) == 0 else { throw POSIXError(.ENOENT) }
        try place.write("log", "new\n")
        try place.append("old", "rd\nincomplete")
        for line in ["second", "third", "incomplete", "new"] {
            #expect(arrivals.count == 0)
            arrivals.resume()
            #expect(arrivals.next() == .next(line))
        }
    }

    @Test func `Times of the wall clock that pass while the consumer is suspended are one element`() {
        let scheduler = VirtualTimeScheduler()
        let start = Date(timeIntervalSince1970: 0)
        let clock = VirtualWallClock(start, scheduler: scheduler)
        let times = Arrivals(Observable.every(.seconds(10), clock: clock, scheduler: scheduler))
        times.suspend()
        scheduler.advance(by: .seconds(35))
        #expect(times.count == 0)
        times.resume()
        scheduler.advance(by: .seconds(15))
        #expect(times.elements(3).map { $0.timeIntervalSince(start) } == [10, 40, 50])
        times.suspend()
        scheduler.advance(by: .seconds(15))
        times.dispose()
        #expect(scheduler.isIdle)
    }
}
