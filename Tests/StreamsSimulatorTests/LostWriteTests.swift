import Foundation
import StreamsSimulator
import StreamsTesting
import SystemSources
import Testing

@Suite("What a kill loses", .countsResources)
struct LostWriteTests {
    private static let orders = URL(filePath: "/orders")

    /// Notes orders, and confirms each one when it has been noted.
    private func sell(on seeds: Range<Int>, _ note: @escaping @Sendable (Int, any Disk) -> Completable) async throws -> Simulation.Report {
        try await Simulation.explore(seeds: seeds) { world in
            let confirmed = world.stream("confirmed", of: Int.self)
            let known = world.stream("known", of: Int.self)
            world.process("shop") { environment in
                let last = try await OrderBook(file: Self.orders, disk: environment.disk).count().firstElement()
                known.emit(last)
                for number in (last + 1)... {
                    try await note(number, environment.disk).value
                    confirmed.emit(number)
                    try await Task.sleep(for: .seconds(5), clock: environment.clock)
                }
            }
            world.faults = .only(.kill, rate: .perMinute(2))
            let last = confirmed.asObservable().startWith(0)
            world.always("what is confirmed is known", known.asObservable().withLatestFrom(last) { $0 >= $1 })
            try await world.run(for: .seconds(300))
        }
    }

    private static func line(_ number: Int) -> Data { Data("\(number)\n".utf8) }

    @Test func `The program that forgets to flush fails, and the trace names the write`() async throws {
        let failure = try #require(
            await #expect(throws: Simulation.Failure.self) {
                try await sell(on: 0..<100) { number, disk in
                    disk.open(Self.orders).flatMapCompletable { $0.append(Self.line(number)) }
                }
            })
        let lost = try #require(failure.trace.last { $0.contains("shop  lost") })
        let bytes = try #require(lost.firstMatch(of: /lost bytes (\d+)\.\.<(\d+) of \/orders, not flushed/))
        let written = failure.trace.compactMap { $0.firstMatch(of: /shop  appended bytes (\d+)\.\.<(\d+) of \/orders/) }
        #expect(written.contains { $0.output.2 == bytes.output.2 })
        #expect(failure.description.contains(lost))
        #expect(failure.faults.count == 1)
    }

    @Test func `The end of a failure shows the write before the kill, however much that has lost`() async throws {
        let failure = try #require(
            await #expect(throws: Simulation.Failure.self) {
                try await sell(on: 0..<100) { number, disk in
                    let new = Self.orders.appendingPathExtension("new")
                    let write = Completable.deferred {
                        disk.create(new, for: Self.orders).flatMapCompletable { $0.append(Self.line(number)) }
                            .andThen(disk.rename(new, to: Self.orders))
                    }
                    return (0..<20).reduce(write) { writes, _ in writes.andThen(write) }
                }
            })
        let end = failure.description.split(separator: "The last lines of what happened:\n")[1]
        #expect(failure.trace.count { $0.contains("shop  lost") } > 3)
        #expect(end.contains("shop  renamed /orders.new to /orders"))
        #expect(end.firstMatch(of: /shop  lost \d+ more\n/) != nil)
        #expect(end.matches(of: /shop  lost/).count == 3)
        #expect(end.split(separator: "\n").prefix { !$0.contains("To repeat it") }.count == 12)
    }

    /// Each way to note an order that outlives a kill.
    private static let lasting: [@Sendable (Int, any Disk) -> Completable] = [
        { number, disk in disk.open(orders).flatMapCompletable { $0.append(line(number)).andThen($0.flush()) } },
        { number, disk in Observable.just("\(number)").write(appendingTo: orders, on: disk) },
        { number, disk in Observable.from(1...number).map { "\($0)" }.write(replacing: orders, on: disk) },
    ]

    @Test(arguments: lasting.indices) func `The program that flushes holds under all seeds`(way: Int) async throws {
        let report = try await sell(on: 0..<seedCount, Self.lasting[way])
        #expect(report.faults[.kill] ?? 0 > seedCount)
        #expect(report.unchecked.isEmpty)
    }

    /// Runs a program on an empty disk, kills it, and returns what is left: the content of each file.
    private func rest(
        seed: Int, after program: @escaping @Sendable (any Disk) async throws -> Void
    ) async throws -> (files: [String: String], trace: [String]) {
        let files = RecordedElements<(String, String)>()
        let trace = try await Simulation.replay(seed: seed) { world in
            files.removeAll()
            let process = world.process("program") { environment in
                try await program(environment.disk)
                try await Task.sleep(for: .seconds(1_000), clock: environment.clock)
            }
            try await world.run(for: .seconds(10))
            process.kill(restartAfter: nil)
            for path in process.disk.paths {
                let content = try await process.disk.read(URL(filePath: path)).value
                files.append((path, String(decoding: content, as: UTF8.self)))
            }
        }
        return (Dictionary(uniqueKeysWithValues: files.elements), trace)
    }

    @Test func `Each call is a line of the trace`() async throws {
        let (old, new) = (URL(filePath: "/old"), URL(filePath: "/new"))
        let (files, trace) = try await rest(seed: 1) { disk in
            let file = try await disk.open(old).value
            try await file.append(Data("kept".utf8)).value
            try await file.flush().value
            try await disk.rename(old, to: new).value
            try await disk.flush(namesIn: URL(filePath: "/", directoryHint: .isDirectory)).value
            _ = try await disk.read(new).value
            _ = try await disk.open(old).value
            try await disk.remove(old).value
            try await disk.flush(namesIn: URL(filePath: "/", directoryHint: .isDirectory)).value
        }
        #expect(
            trace.compactMap { $0.firstMatch(of: #/ program  (?!started|killed)(.*)/#).map { String($0.output.1) } } == [
                "created /old", "appended bytes 0..<4 of /old", "flushed bytes 0..<4 of /old", "renamed /old to /new",
                "flushed the names in /", "read bytes 0..<4 of /new", "created /old", "removed /old", "flushed the names in /",
                "read bytes 0..<4 of /new",
            ])
        #expect(files == ["/new": "kept"])
    }

    @Test func `Of a file that was not flushed nothing, a part or all is left, as the seed decides`() async throws {
        var lengths: Set<Int> = []
        for seed in 0..<60 {
            let file = URL(filePath: "/file")
            let rest = try await rest(seed: seed) { disk in
                let opened = try await disk.open(file).value
                try await opened.append(Data("flushed ".utf8)).value
                try await opened.flush().value
                try await opened.append(Data("not".utf8)).value
            }
            let content = try #require(rest.files["/file"])
            #expect("flushed not".hasPrefix(content))
            lengths.insert(content.count)
        }
        #expect(lengths == [8, 9, 10, 11])
    }

    @Test func `A renaming that was not flushed is lost or not, and never leaves the file without a name`() async throws {
        var contents: Set<String> = []
        for seed in 0..<20 {
            let (file, part) = (URL(filePath: "/file"), URL(filePath: "/part"))
            let rest = try await rest(seed: seed) { disk in
                try await Observable.just("old").write(replacing: file, on: disk).value
                try await Observable.just("new").write(appendingTo: part, on: disk).value
                try await disk.rename(part, to: file).value
            }
            contents.insert(rest.files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined())
        }
        #expect(contents == ["/file new\n", "/file old\n/part new\n"])
    }

    @Test func `A log that is rotated is left without a gap`() async throws {
        for seed in 0..<60 {
            let log = URL(filePath: "/log")
            let rest = try await rest(seed: seed) { disk in
                let lines = Observable<Int>.interval(.milliseconds(90), scheduler: ConcurrentDispatchQueueScheduler(qos: .default))
                    .take(100).map { "\($0)" }.concat(Observable.never())
                try await lines.write(appendingTo: log, rotation: FileRotation(size: 40, keeping: 99), flushing: .atEnd, on: disk).value
            }
            let names = rest.files.keys.sorted { Int($0.dropFirst(5)) ?? 0 > Int($1.dropFirst(5)) ?? 0 }
            let whole = names.compactMap { rest.files[$0] }.joined()
            let all = (0..<100).map { "\($0)\n" }.joined()
            #expect(all.hasPrefix(whole))
            #expect(whole.count > 100)
        }
    }
}
