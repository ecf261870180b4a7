import Dispatch
import StreamsInspector
import StreamsTesting
import Testing

@testable import StreamsSimulator

@Suite("Simulations in which no time passes", .countsResources)
struct StandstillTests {
    private static let file = "StreamsSimulatorTests/StandstillTests.swift"

    private func failure(_ body: @escaping @Sendable (Simulation.World) async throws -> Void) async throws -> Simulation.Failure {
        try #require(await #expect(throws: Simulation.Failure.self) { try await Simulation.explore(seeds: 0..<1, body) })
    }

    /// Whose code lets no time pass.
    private func culprit(_ body: @escaping @Sendable (Simulation.World) async throws -> Void) -> String? {
        guard case .still(let who, steps: Standstill.steps)? = SimulationRun(seed: 0, body: body).simulate().failure else { return nil }
        return who
    }

    private func service(_ line: Int) -> String { "The process \"service\" (\(Self.file):\(line))" }

    @Test func `A timer without a period is a failure that names the process, and the operator with its line`() async throws {
        let line = #line + 3
        let failure = try await failure { world in
            let timer = Observable<Int>.interval(.zero, scheduler: MainScheduler.instance)
            world.process("service", running: { _ in timer })
            try await world.run(for: .seconds(1))
        }
        #expect(failure.reason.hasPrefix("\(service(line)) lets no time pass: 100000 steps in a millisecond."))
        guard Inspector.isAvailable else { return }
        #expect(failure.reason.hasSuffix("Most of it does `interval` (\(Self.file):\(line - 1))."))
    }

    @Test func `A process that fails at once and is started again at once is named`() {
        let line = #line + 2
        let culprit = culprit { world in
            world.process("service", restartDelay: .zero) { _ in throw TestError("broken") }
            try await world.run(for: .seconds(1))
        }
        #expect(culprit == service(line))
    }

    @Test func `A task that yields without end is named`() {
        let line = #line + 2
        let culprit = culprit { world in
            world.process("service") { _ in while !Task.isCancelled { await Task.yield() } }
            try await world.run(for: .seconds(1))
        }
        #expect(culprit == service(line))
    }

    @Test func `A body that lets no time pass is told so`() {
        let culprit = culprit { world in
            while true { try await world.run(for: .zero) }
        }
        #expect(culprit == "The body of the simulation")
    }

    @Test func `A source that fails at once, retried in one step without end, is stopped and named`() {
        let line = #line + 2
        let run = SimulationRun(seed: 0, stepLimit: .seconds(1)) { world in
            world.process(
                "service",
                running: { _ in
                    Observable<Int>.error(TestError("broken")).retry()
                })
            try await world.run(for: .seconds(1))
        }
        guard case .still(let who, _)? = run.simulate().failure else {
            Issue.record("it was not found")
            return
        }
        #expect(who == service(line))
    }

    @Test func `A step that nothing can stop is left alone, and its process is named`() {
        let end = DispatchSemaphore(value: 0)
        let line = #line + 2
        let run = SimulationRun(seed: 0, stepLimit: .seconds(1)) { world in
            world.process("service") { _ in end.wait() }
            try await world.run(for: .seconds(1))
        }
        let failure = run.simulate().failure
        end.signal()
        #expect(failure == .still("The process \"service\" (\(Self.file):\(line))", steps: "one step takes longer than 1 s"))
    }

    @Test func `Many steps are no standstill as long as time passes`() {
        var standstill = Standstill()
        for step in 0..<200_000 {
            standstill.beginStep()
            standstill.endStep(at: .microseconds(step / 50))
        }
        #expect(!standstill.isFound)
        for _ in 0..<100_000 { standstill.endStep(at: .seconds(1)) }
        #expect(standstill.isFound)
    }
}
