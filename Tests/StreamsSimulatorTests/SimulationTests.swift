import Dispatch
import Foundation
import LoopbackServer
import StreamsInspector
import StreamsSimulator
import StreamsTesting
import Synchronization
import Testing

@Suite("Exploring seeds", .countsResources)
struct SimulationTests {
    /// The failure of a simulation.
    private func failure(_ body: @escaping @Sendable (Simulation.World) async throws -> Void) async throws -> Simulation.Failure {
        try #require(await #expect(throws: Simulation.Failure.self) { try await Simulation.explore(seeds: 0..<50, body) })
    }

    @Test func `An empty world passes, and ten hours take no time`() async throws {
        let report = try await Simulation.explore(seeds: 0..<3) { world in try await world.run(for: .seconds(36_000)) }
        #expect(report.runs == 3)
        #expect(report.duration == .seconds(108_000))
    }

    @Test func `The failure with the lowest seed is reported, by name and time, with the call that repeats it`() async throws {
        let failure = try await failure { world in
            let numbers = world.stream("numbers", of: Int.self)
            world.always("numbers are small", numbers.asObservable().map { $0 < 40 })
            var random = world.random
            let number = Int.random(in: 0...41, using: &random)
            world.process("counter") { environment in
                try await Task.sleep(for: .seconds(number), clock: environment.clock)
                numbers.emit(number)
            }
            try await world.run(for: .seconds(100))
        }
        #expect(failure.reason.contains("\"numbers are small\" does not hold"))
        #expect(failure.time >= .seconds(40))
        #expect(failure.faults.isEmpty)
        #expect(failure.replay.contains("Simulation.replay(seed: \(failure.seed), faults: [])"))
        #expect(failure.timeline.contains("counter"))
    }

    @Test func `Of many faults those remain without which it does not fail`() async throws {
        let failure = try await failure { world in
            let starts = world.stream("starts", of: Int.self)
            world.process("service") { environment in
                starts.emit(0)
                try await Task.sleep(for: .seconds(10_000), clock: environment.clock)
            }
            world.faults = .all(rate: .perMinute(3))
            world.always("at most three starts", starts.asObservable().scan(0) { count, _ in count + 1 }.map { $0 <= 3 })
            try await world.run(for: .seconds(3_600))
        }
        #expect(failure.faultDescriptions.count == 3)
        #expect(failure.faultDescriptions.allSatisfy { $0.contains("kill service") })
    }

    @Test func `What the body throws fails the run`() async throws {
        let failure = try await failure { _ in throw TestError("no idea") }
        #expect(failure.reason.contains("no idea"))
    }

    @Test func `A body that waits for something outside of its world is told so`() async throws {
        let failure = try await failure { _ in
            await withCheckedContinuation { continuation in Self.continuations.withLock { $0.append(continuation) } }
        }
        #expect(failure.reason.contains("waits for something"))
        for continuation in Self.continuations.withLock({ $0 }) { continuation.resume() }
    }

    private static let continuations = Mutex<[CheckedContinuation<Void, Never>]>([])

    @Test func `A thread of one's own is named by what it calls`() async throws {
        let failure = try await failure { world in
            let stream = world.stream("results", of: Int.self)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                stream.emit(1)
                done.signal()
            }
            done.wait()
            try await world.run(for: .seconds(1))
        }
        #expect(failure.reason.contains("emit(_:) of the stream results"))
    }

    @Test func `Two runs of a seed that differ are found, and where they do`() async throws {
        let count = Atomic(0)
        let failure = try await failure { world in
            let numbers = world.stream("numbers", of: Int.self)
            world.never("never", numbers)
            numbers.emit(count.add(1, ordering: .relaxed).newValue)
            try await world.run(for: .seconds(1))
        }
        #expect(failure.reason.contains("Two runs of the same seed differ"))
        #expect(failure.reason.contains("numbers  emitted"))
    }

    @Test func `An expectation that nothing checks is reported`() async throws {
        let report = try await Simulation.explore(seeds: 0..<2) { world in
            world.always("silence", world.stream("nothing", of: Bool.self))
            try await world.run(for: .seconds(1))
        }
        #expect(report.unchecked == ["silence"])
        #expect(report.description.contains("silence: NEVER CHECKED"))
    }

    @Test(.enabled(if: Inspector.isAvailable))
    func `Operators that never emitted, and those that handle errors and never had one, are named by their lines`() async throws {
        let line = #line + 4
        let report = try await Simulation.explore(seeds: 0..<2, countsOperators: true) { world in
            let bag = DisposeBag()
            let numbers = Observable<Int>.timer(.seconds(1), scheduler: world.scheduler)
            numbers.filter { $0 > 0 }.subscribe { _ in }.disposed(by: bag)
            numbers.catch { _ in .just(1) }.subscribe { _ in }.disposed(by: bag)
            numbers.map { _ in throw StreamError.noElements }.catch { _ in .just(1) }.subscribe { _ in }.disposed(by: bag)
            try await world.run(for: .seconds(10))
        }
        #expect(
            report.silentOperators.map(\.description) == [
                "`filter` (StreamsSimulatorTests/SimulationTests.swift:\(line))",
                "`map` (StreamsSimulatorTests/SimulationTests.swift:\(line + 2))",
            ])
        #expect(report.untriedOperators.map(\.description) == ["`catch` (StreamsSimulatorTests/SimulationTests.swift:\(line + 1))"])
        #expect(report.operators.first { $0.name == "filter" }?.subscriptions == 2)
        #expect(report.description.contains("never had an error to handle:\n    `catch` ("))
    }

    @Test func `Eventually means within its limit, from now or after each cause`() async throws {
        let late = try await failure { world in
            world.eventually("a tick", within: .seconds(5), Observable<Int>.timer(.seconds(6), scheduler: world.scheduler))
            try await world.run(for: .seconds(10))
        }
        #expect(late.time == .seconds(5))
        let missing = try await failure { world in
            let causes = world.stream("causes", of: Int.self)
            let effects = world.stream("effects", of: Int.self)
            world.process("service") { environment in
                for cause in 0... {
                    try await Task.sleep(for: .seconds(10), clock: environment.clock)
                    causes.emit(cause)
                    try await Task.sleep(for: .seconds(2), clock: environment.clock)
                    if cause < 3 { effects.emit(cause) }
                }
            }
            world.eventually("an effect", within: .seconds(3), after: causes, effects)
            try await world.run(for: .seconds(100))
        }
        #expect(missing.time == .seconds(49))
        #expect(missing.reason.contains("nothing within 3 s after 3"))
    }

    @Test func `An effect may have a state, and a cause is not its own effect`() async throws {
        let missing = try await failure { world in
            let steps = world.stream("steps", of: Int.self)
            world.process("service") { environment in
                for step in 1...3 {
                    steps.emit(step)
                    try await Task.sleep(for: .seconds(1), clock: environment.clock)
                }
            }
            let sums = steps.asObservable().scan(0, accumulator: +)
            world.eventually("the sum of all", within: .seconds(3), after: steps.asObservable().take(1), sums.map { $0 == 6 })
            world.eventually("the next step", within: .seconds(2), after: steps, steps)
            try await world.run(for: .seconds(10))
        }
        #expect(missing.time == .seconds(4))
        #expect(missing.reason.contains("\"the next step\" does not hold: nothing within 2 s after 3"))
    }

    @Test func `A cancelled exploration ends`() async throws {
        let task = Task {
            try await Simulation.explore(seeds: 0..<Int.max) { world in try await world.run(for: .seconds(1)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
