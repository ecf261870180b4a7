import Foundation
import StreamsSimulator
import StreamsTesting
import SystemSources
import Testing

@Suite("Processes of a simulation", .countsResources)
struct ProcessTests {
    @Test func `Tasks, actors, the main actor and clocks run in virtual time`() async throws {
        let lines = try await Simulation.replay(seed: 3) { world in
            let steps = world.stream("steps", of: String.self)
            world.process("service") { environment in
                let counter = Counter()
                async let first: Void = counter.add(after: .seconds(20), environment.clock)
                let second = Task { try await counter.add(after: .seconds(10), environment.clock) }
                try await second.value
                steps.emit("\(await counter.count) at \(world.now)")
                try await first
                await MainActor.run { steps.emit("main \(MainScheduler.isOnMainLoop)") }
                steps.emit("\(await counter.count) at \(world.now)")
            }
            try await world.run(for: .seconds(100))
        }
        #expect(
            lines.filter { $0.contains("steps") }.map { $0.components(separatedBy: "emitted ")[1] } == [
                "1 at 10.0 seconds", "main true", "2 at 20.0 seconds",
            ])
    }

    @Test func `Operators without a scheduler of the simulation run in it all the same`() async throws {
        let lines = try await Simulation.replay(seed: 1) { world in
            let ticks = world.stream("ticks", of: String.self)
            world.process(
                "service",
                running: { _ in
                    Observable<Int>.interval(.seconds(60), scheduler: SerialDispatchQueueScheduler(qos: .default))
                        .observe(on: MainScheduler.instance)
                        .do(onNext: { _ in ticks.emit("\(MainScheduler.isOnMainLoop)") })
                })
            try await world.run(for: .seconds(200))
        }
        #expect(lines.filter { $0.contains("ticks  emitted true") }.count == 3)
    }

    @Test func `What a killed process does has no effect, and it starts again with its files`() async throws {
        let lines = try await Simulation.replay(seed: 1) { world in
            let seen = world.stream("seen", of: String.self)
            let service = world.process("service") { environment in
                let (disk, file) = (environment.disk, URL(filePath: "/count"))
                seen.emit((try? await disk.read(file).value).map { String(decoding: $0, as: UTF8.self) } ?? "nothing")
                try await Observable.just(Data("written".utf8)).write(replacing: file, on: disk).value
                do { try await Task.sleep(for: .seconds(100), clock: environment.clock) } catch {
                    seen.emit("cancelled")
                    try await Observable.just(Data("too late".utf8)).write(replacing: file, on: disk).value
                }
                seen.emit("end")
            }
            try await world.run(for: .seconds(10))
            service.kill(restartAfter: .seconds(5))
            try await world.run(for: .seconds(10))
            #expect(service.starts == 2)
        }
        #expect(lines.filter { $0.contains("seen") }.map { String($0.split(separator: " ").last ?? "") } == ["nothing", "written"])
    }

    @Test func `A process that fails is started again after its delay`() async throws {
        let lines = try await Simulation.replay(seed: 1) { world in
            world.process("service", restartDelay: .seconds(7)) { _ in throw TestError("broken") }
            try await world.run(for: .seconds(20))
        }
        #expect(lines.filter { $0.contains("started") }.map { String($0.prefix(4)) } == ["0 ms", "7 s ", "14 s"])
        #expect(lines.contains { $0.contains("failed broken") })
    }

    @Test func `A full disk is a typed error, and a slow one takes its time`() async throws {
        try await Simulation.explore(seeds: 0..<4) { world in
            let writes = world.stream("writes", of: Bool.self)
            world.process("service") { environment in
                while true {
                    do {
                        try await Observable.just("a").write(appendingTo: URL(filePath: "/log"), on: environment.disk).value
                        writes.emit(true)
                    } catch let error as SystemSourceError {
                        writes.emit(error == .diskFull(path: "/log"))
                    }
                    try await Task.sleep(for: .seconds(1), clock: environment.clock)
                }
            }
            world.faults = .only(.fullDisk, .slowDisk, rate: .perMinute(5))
            world.always("every error is typed", writes)
            try await world.run(for: .seconds(600))
        }
    }

    @Test func `While the disk takes its time the source is suspended, and nothing is lost`() async throws {
        let taken = RecordedElements<Int>()
        try await Simulation.replay(seed: 1) { world in
            taken.removeAll()
            let process = world.process(
                "service",
                running: { environment in
                    Observable.range(start: 0, count: 1_000).do(onNext: { taken.append($0) }).map { "\($0)" }
                        .write(appendingTo: URL(filePath: "/log"), on: environment.disk)
                })
            // The file is open, and the first element is being written.
            try await world.run(for: .microseconds(150))
            #expect((1...81).contains(taken.elements.count))
            try await world.run(for: .seconds(1))
            let written = try await process.disk.read(URL(filePath: "/log")).value
            #expect(String(decoding: written, as: UTF8.self) == (0..<1_000).map { "\($0)\n" }.joined())
        }
    }

    @Test func `The wall clock of a process jumps, and its timers do not`() async throws {
        let lines = try await Simulation.replay(seed: 1) { world in
            let dates = world.stream("dates", of: Double.self)
            let service = world.process("service") { environment in
                while true {
                    dates.emit(environment.wallClock.now.timeIntervalSince1970)
                    try await Task.sleep(for: .seconds(60), clock: environment.clock)
                }
            }
            try await world.run(for: .seconds(90))
            service.jumpClock(by: .seconds(-3_600))
            try await world.run(for: .seconds(60))
        }
        let dates = lines.filter { $0.contains("dates") }.compactMap { Double($0.split(separator: " ").last ?? "") }
        #expect(dates.map { $0 - dates[0] } == [0, 60, 120 - 3_600])
    }
}

private actor Counter {
    private(set) var count = 0

    func add(after duration: Duration, _ clock: SimulatedClock) async throws {
        try await Task.sleep(for: duration, clock: clock)
        count += 1
    }
}
