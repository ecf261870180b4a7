import Foundation
import LoopbackServer
import NetNodes
import StreamsSimulator
import Testing

// The first program of Docs/Simulation.md.

struct Mailer: Sendable {
    let letters: URL
    let transport: any Transport
    let scheduler: any Scheduler

    func send(_ text: String) -> Observable<Void> {
        URLChain(transport: transport).timeout(.seconds(5)).route(.post, letters).input(String.self).void.stream(text)
            .retry(.exponential(initial: .seconds(1), maxAttempts: 10), scheduler: scheduler)
    }
}

func lettersArriveOnce() async throws {
    try await Simulation.explore(seeds: 0..<1_000) { world in
        let arrived = world.stream("arrived", of: String.self)
        let route = LoopbackServer.Route.post("/letters") { request in
            arrived.emit(request.text)
            return .empty(201)
        }
        let post = world.server("post", routes: [route])
        world.process("mailer") { environment in
            let mailer = Mailer(
                letters: post.baseURL.appending(path: "letters"), transport: environment.transport, scheduler: environment.scheduler)
            for number in 1...20 {
                for try await _ in mailer.send("letter \(number)").values {}
                try await Task.sleep(for: .seconds(10), clock: environment.clock)
            }
        }
        world.faults = .all(rate: .perMinute(2)).without(.kill)
        world.always("no letter arrives twice", arrived.asObservable().areDistinct())
        try await world.run(for: .seconds(600))
    }
}

@Suite("The first simulation of the documentation", .countsResources)
struct MailerTests {
    @Test func `A letter that is sent again without a key arrives twice, and one fault is enough`() async throws {
        let failure = await #expect(throws: Simulation.Failure.self) { try await lettersArriveOnce() }
        #expect(failure?.faults.count == 1)
        #expect(failure?.reason == "\"no letter arrives twice\" does not hold: it was false.")
    }
}
