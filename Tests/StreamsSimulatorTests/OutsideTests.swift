import Dispatch
import Foundation
import LoopbackServer
import NetNodes
import StreamsSimulator
import StreamsTesting
import Testing

/// Whether this runtime lets a simulation decide where `Task.yield()` and `Task.sleep` continue.
#if os(Linux) && compiler(>=6.3)
    private let hasExecutors = true
#else
    private let hasExecutors = false
#endif

@Suite("What leaves a simulation", .countsResources)
struct OutsideTests {
    private static let file = "StreamsSimulatorTests/OutsideTests.swift"

    private func failure(_ body: @escaping @Sendable (Simulation.World) async throws -> Void) async throws -> Simulation.Failure {
        try #require(await #expect(throws: Simulation.Failure.self) { try await Simulation.explore(seeds: 0..<4, body) })
    }

    @Test(.enabled(if: hasExecutors))
    func `Tasks, actors and the main actor yield to others in the simulation, in an order that the seed decides`() async throws {
        let lines = try await Simulation.replay(seed: 5) { world in
            let steps = world.stream("steps", of: String.self)
            for name in ["first", "second", "third"] {
                world.process(name) { _ in
                    let yielder = Yielder()
                    for number in 0..<20 {
                        await Task.yield()
                        await yielder.yield()
                        await Task { @MainActor in await Task.yield() }.value
                        await withTaskGroup(of: Void.self) { group in
                            for _ in 0..<2 { group.addTask { await Task.yield() } }
                        }
                        steps.emit("\(name) \(number)")
                    }
                }
            }
            try await world.run(for: .seconds(1))
        }
        let names = lines.filter { $0.contains("steps  emitted") }.map { $0.components(separatedBy: " ").dropLast().last }
        #expect(names.count == 60)
        #expect(zip(names, names.dropFirst()).contains { $0 != $1 })
    }

    @Test(.enabled(if: hasExecutors))
    func `A process that sleeps on a real clock is named, with its line`() async throws {
        for clock in [nil, SuspendingClock()] {
            let line = #line + 2
            let failure = try await failure { world in
                world.process("service") { _ in
                    if let clock {
                        try await Task.sleep(for: .seconds(100), clock: clock)
                    } else {
                        try await Task.sleep(for: .seconds(100))
                    }
                }
                try await world.run(for: .seconds(1))
            }
            #expect(failure.reason.hasPrefix("The process \"service\" (\(Self.file):\(line)) sleeps on a real clock"))
        }
    }

    @Test func `A process whose task another thread resumes is named`() async throws {
        let line = #line + 3
        let failure = try await failure { world in
            let waiting = Lock<CheckedContinuation<Void, Never>?>(nil)
            world.process("service") { environment in
                await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
            }
            try await world.run(for: .seconds(1))
            let isResumed = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                waiting.withLock { $0.take() }?.resume()
                isResumed.signal()
            }
            isResumed.wait()
            try await world.run(for: .seconds(1))
        }
        #expect(failure.reason.hasPrefix("The process \"service\" (\(Self.file):\(line)) waits for something outside"))
    }

    private static let continuations = Lock<[CheckedContinuation<Void, Never>]>([])

    @Test func `A process that nothing in its world will wake is named`() async throws {
        let line = #line + 3
        let failure = try await failure { world in
            _ = world.server("prices", routes: [])
            world.process("service") { _ in
                await withCheckedContinuation { continuation in Self.continuations.withLock { $0.append(continuation) } }
            }
            world.process("other") { environment in try await Task.sleep(for: .seconds(100), clock: environment.clock) }
            try await world.run(for: .seconds(1))
        }
        #expect(failure.reason == "The process \"service\" (\(Self.file):\(line)) waits for something that nothing in its world does.")
        for continuation in Self.continuations.withLock({ $0 }) { continuation.resume() }
    }

    @Test func `A process waits for a timer, a stream of its world, or a connection that hangs`() async throws {
        let report = try await Simulation.explore(seeds: 0..<2) { world in
            let server = world.server("server", routes: [.get("/") { _ in .text("never").with(.hang(at: .beforeHead)) }])
            let orders = world.stream("orders", of: Int.self)
            world.process("timer") { _ in
                for try await _ in Observable<Int>.interval(.seconds(30), scheduler: world.scheduler).values {}
            }
            world.process("stream") { _ in
                for try await _ in orders.asObservable().values {}
            }
            world.process(
                "connection",
                running: { environment in
                    environment.transport.transfer(HTTPRequest(.get, server.baseURL, timeouts: HTTPRequest.Timeouts(idle: nil)))
                })
            try await world.run(for: .seconds(100))
        }
        #expect(report.runs == 2)
    }
}

private actor Yielder {
    func yield() async { await Task.yield() }
}
