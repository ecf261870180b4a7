import StreamsSimulator
import Testing

@testable import Shop

@Suite("The shop under simulation", .countsResources)
struct ShopTests {
    @Test func `Every expectation holds, and is checked`() async throws {
        let report = try await Simulation.explore(seeds: 0..<8) { world in try await ShopWorld.run(world) }
        #expect(report.unchecked.isEmpty)
        #expect(report.faults.values.reduce(0, +) > 20)
    }

    @Test(arguments: [Mistake.unboundedBuffer, .lostAcknowledgement, .otherUsersAnswer])
    func `A mistake is found, with few faults, and found again from what the failure says`(mistake: Mistake) async throws {
        let failure = try #require(
            await #expect(throws: Simulation.Failure.self) {
                try await Simulation.explore(seeds: 0..<1_000) { world in try await ShopWorld.run(world, mistake: mistake) }
            })
        #expect(failure.faults.count <= 3)
        let repeated = await #expect(throws: Simulation.Failure.self) {
            try await Simulation.replay(seed: failure.seed, faults: failure.faults) { world in
                try await ShopWorld.run(world, mistake: mistake)
            }
        }
        #expect(repeated?.trace == failure.trace)
    }

    @Test func `The same seeds give the same run, however many threads run them`() async throws {
        let reports = try await [1, 2, 5].asyncMap { workers in
            try await Simulation.explore(seeds: 40..<44, workers: workers) { world in try await ShopWorld.run(world) }.fingerprint
        }
        #expect(Set(reports).count == 1)
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
