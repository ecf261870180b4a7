import Foundation
import LoopbackServer
import NetNodes
import StreamsSimulator
import StreamsTesting
import Testing

@Suite("The world of a simulation", .countsResources)
struct WorldTests {
    @Test func `A process requests from a server by its name, in virtual time`() async throws {
        let lines = try await Simulation.replay(seed: 1) { world in
            let server = world.server("prices", routes: [.get("/price") { _ in .text("42") }])
            let shown = world.stream("shown", of: String.self)
            world.process("shop") { environment in
                let chain = URLChain(transport: environment.transport)
                for try await price in chain.route(.get, server.baseURL.appending(path: "price")).output(Int.self).stream().values {
                    shown.emit("\(price)")
                }
            }
            world.eventually("the price is shown", within: .seconds(1), shown)
            try await world.run(for: .seconds(3_600))
        }
        #expect(lines.contains { $0.contains("shown  emitted 42") })
    }
}
