import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import SystemSources
import Testing

@testable import StreamsSimulator

@Suite("Faults of a simulation", .countsResources)
struct FaultTests {
    @Test func `Of two faults of one kind each ends at its own time`() async throws {
        try await Simulation.replay(seed: 1) { world in
            let path = NetworkPath(from: "shop", to: "prices")
            world.network.slow(path, for: .seconds(5), by: FaultOccurrence(1, .lowBandwidth))
            world.network.slow(path, for: .seconds(60), by: FaultOccurrence(2, .lowBandwidth))
            world.partition("shop", "prices", for: .seconds(40))
            world.partition("shop", "prices", for: .seconds(5))
            try await world.run(for: .seconds(10))
            #expect(world.network.transmissionTime(1_000, path) == .seconds(5))
            #expect(world.network.wait(on: path) {})
            try await world.run(for: .seconds(35))
            #expect(world.network.transmissionTime(1_000, path) == .seconds(5))
            #expect(!world.network.wait(on: path) {})
            try await world.run(for: .seconds(20))
            #expect(world.network.transmissionTime(1_000, path) < .seconds(1))
        }
    }

    /// How many faults of a kind took effect in a world where a process does something each second.
    private func effects(
        of fault: Simulation.Fault, _ action: @escaping @Sendable (Simulation.Environment, Simulation.Server) async throws -> Void
    ) async throws -> Int {
        let report = try await Simulation.explore(seeds: 0..<2) { world in
            let server = world.server(
                "server",
                routes: [
                    .get("/") { _ in .generated(bytes: 10_000) },
                    .get("/last") { _ in .generated(bytes: 10_000).with(.close(at: .afterBody)) },
                ])
            world.process("client") { environment in
                while true {
                    try? await action(environment, server)
                    try await Task.sleep(for: .seconds(1), clock: environment.clock)
                }
            }
            world.faults = .only(fault, rate: .perMinute(20))
            try await world.run(for: .seconds(120))
        }
        return report.faults[fault] ?? 0
    }

    @Test(arguments: Simulation.Fault.allCases)
    func `The report counts the faults that took effect, and no others`(fault: Simulation.Fault) async throws {
        let count = try await effects(of: fault) { environment, server in
            let headers: HTTPHeaders = ["Authorization": "Bearer token"]
            // Behind the first another connection is needed, and that of the second stays open.
            for path in ["last", ""] {
                let request = HTTPRequest(
                    .get, server.baseURL.appending(path: path), headers: headers,
                    timeouts: HTTPRequest.Timeouts(connect: .seconds(5), idle: .seconds(5)))
                for try await _ in environment.transport.transfer(request).values {}
            }
            _ = environment.wallClock.now
            try await Observable.just(Data()).write(replacing: URL(filePath: "/file"), on: environment.disk).value
        }
        #expect(count > 0)
        guard fault != .kill else { return }
        #expect(try await effects(of: fault) { _, _ in } == 0)
    }

    @Test func `A fault that was needed only beside another one is left out in the end`() async throws {
        let failure = await #expect(throws: Simulation.Failure.self) {
            try await Simulation.explore(seeds: 0..<1) { world in
                world.process("service") { environment in try await Task.sleep(for: .seconds(10_000), clock: environment.clock) }
                world.faults = .only(.clockJump, rate: .perMinute(1))
                for _ in 0..<600 where world.injectedFaults.count < 3 { try await world.run(for: .seconds(1)) }
                let numbers = Set(world.injectedFaults.map(\.number))
                if numbers.contains(1), numbers.contains(2) || !numbers.contains(3) { throw TestError("one") }
            }
        }
        #expect(failure?.faults == [1])
    }
}
