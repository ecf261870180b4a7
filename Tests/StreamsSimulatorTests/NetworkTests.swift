import Foundation
import LoopbackServer
import NetNodes
import StreamsSimulator
import StreamsTesting
import Testing

@Suite("The network of a simulation", .countsResources)
struct NetworkTests {
    /// The elements of a process that runs `body` with the transport of the simulation, without the times.
    private func results(
        _ routes: [LoopbackServer.Route], seed: Int = 1, for duration: Duration = .seconds(600),
        disturbing disturb: @escaping @Sendable (Simulation.World) -> Void = { _ in },
        _ body: @escaping @Sendable (Simulation.Environment, Simulation.Stream<String>) async throws -> Void
    ) async throws -> [String] {
        let lines = try await Simulation.replay(seed: seed) { world in
            _ = world.server("server", routes: routes)
            let results = world.stream("results", of: String.self)
            world.process("client") { environment in
                do { try await body(environment, results) } catch { results.emit("\(error)") }
            }
            disturb(world)
            try await world.run(for: duration)
        }
        return lines.filter { $0.contains("results  emitted ") }.map { $0.components(separatedBy: "emitted ")[1] }
    }

    private func response(_ environment: Simulation.Environment, _ request: HTTPRequest) async throws -> HTTPResponse {
        for try await response in environment.transport.response(to: request).values { return response }
        throw TransportError.noResponse
    }

    private static func url(_ path: String) throws -> URL { try #require(URL(string: "http://server\(path)")) }

    @Test func `Bodies of every framing arrive whole, also through small windows`() async throws {
        let size = 300_000
        let routes: [LoopbackServer.Route] = [
            .get("/length") { _ in .generated(bytes: size) },
            .get("/chunked") { _ in .generated(bytes: size).chunked() },
            .get("/empty") { _ in .empty() },
            .post("/echo") { request in .data(request.body) },
        ]
        let results = try await results(routes) { environment, results in
            for path in ["/length", "/chunked", "/empty"] {
                let response = try await response(environment, HTTPRequest(.get, Self.url(path)))
                results.emit(
                    "\(path) \(response.status) \(response.body == LoopbackServer.Response.generatedBytes(0..<response.body.count))")
                results.emit("\(response.body.count)")
            }
            let body = LoopbackServer.Response.generatedBytes(0..<size)
            let echo = try await response(environment, HTTPRequest(.post, Self.url("/echo"), body: .data(body)))
            results.emit("echo \(echo.body == body)")
            let head = try await response(environment, HTTPRequest(.head, Self.url("/length")))
            results.emit("head \(head.body.count) of \(head.head.expectedLength ?? 0)")
        }
        #expect(
            results == [
                "/length 200 true", "300000", "/chunked 200 true", "300000", "/empty 204 true", "0", "echo true", "head 0 of 300000",
            ])
    }

    @Test func `Connections are used again, redirects followed, and hosts that do not exist are not found`() async throws {
        let routes: [LoopbackServer.Route] = [
            .get("/a") { _ in .redirect(to: "/b") }, .get("/b") { request in .text("\(request.connection)") },
        ]
        let results = try await results(routes) { environment, results in
            for _ in 0..<3 { results.emit(try await response(environment, HTTPRequest(.get, Self.url("/b"))).text) }
            results.emit(try await response(environment, HTTPRequest(.get, Self.url("/a"))).url.path)
            let elsewhere = try #require(URL(string: "http://elsewhere/"))
            _ = try await response(environment, HTTPRequest(.get, elsewhere))
        }
        #expect(results == ["1", "1", "1", "/b", "The host elsewhere could not be found (http://elsewhere/)."])
    }

    @Test func `During a partition nothing arrives, and afterwards everything does`() async throws {
        let results = try await results([.get("/") { _ in .text("here") }]) { world in
            world.partition("client", "server", for: .seconds(40))
        } _: { environment, results in
            let start = environment.clock.now
            var request = HTTPRequest(.get, try Self.url("/"), timeouts: HTTPRequest.Timeouts(connect: .seconds(15)))
            do { _ = try await response(environment, request) } catch { results.emit("\(error)") }
            request.timeouts.connect = .seconds(100)
            results.emit(try await response(environment, request).text)
            results.emit("\(start.duration(to: environment.clock.now) >= .seconds(40))")
        }
        #expect(results == ["No connection to http://server/ within 15 s.", "here", "true"])
    }

    @Test func `One way of a partition is enough to hold a response back, and the request is handled`() async throws {
        let results = try await results([.get("/") { _ in .text("here") }]) { world in
            world.partition(from: "server", to: "client", for: .seconds(30))
        } _: { environment, results in
            let timeouts = HTTPRequest.Timeouts(connect: nil, idle: .seconds(10), total: nil)
            results.emit(try await response(environment, HTTPRequest(.get, Self.url("/"), timeouts: timeouts)).text)
            results.emit("\(environment.scheduler.now >= .seconds(30))")
        }
        #expect(results == ["here", "true"])
    }

    @Test func `Faults of the server's routes are those of real sockets`() async throws {
        let routes: [LoopbackServer.Route] = [
            .get("/reset") { _ in .text("never").with(.reset(at: .beforeHead)) },
            .get("/cut") { _ in .generated(bytes: 10_000).with(.close(at: .inBody(after: 5_000))) },
            .get("/hang") { _ in .text("never").with(.hang(at: .beforeHead)) },
            .get("/late") { _ in .text("late").with(.delay(.seconds(20))) },
        ]
        let results = try await results(routes) { environment, results in
            for path in ["/reset", "/cut", "/hang", "/late"] {
                let timeouts = HTTPRequest.Timeouts(idle: .seconds(30))
                do {
                    results.emit(try await response(environment, HTTPRequest(.get, Self.url(path), timeouts: timeouts)).text)
                } catch { results.emit("\(error)") }
            }
        }
        #expect(
            results == [
                "The connection to http://server/reset was lost: it was reset.",
                "The response of http://server/cut ended after 5000 bytes: the connection was closed.",
                "http://server/hang sent nothing for 30 s.", "late",
            ])
    }

    @Test func `A response is read no faster than its subscriber takes it`() async throws {
        let results = try await results([.get("/") { _ in .generated(bytes: 4_000_000) }]) { environment, results in
            var received = 0
            let transfer = environment.transport.transfer(HTTPRequest(.get, try Self.url("/")))
            for try await event in transfer.values(overflow: .suspend(capacity: 1)) {
                guard case .chunk(let data) = event else { continue }
                received += data.count
                try await Task.sleep(for: .milliseconds(100), clock: environment.clock)
            }
            results.emit("\(received)")
            results.emit("\(environment.scheduler.now > .seconds(20))")
        }
        #expect(results == ["4000000", "true"])
    }

    @Test func `Whatever goes wrong, a request ends: with its response or a typed error`() async throws {
        try await Simulation.explore(seeds: 0..<10) { world in
            let server = world.server(
                "server", routes: [.get("/") { _ in .generated(bytes: 5_000) }, .post("/") { request in .text("\(request.body.count)") }])
            let outcomes = world.stream("outcomes", of: String.self)
            world.process("client") { environment in
                while true {
                    for method in [HTTPRequest.Method.get, .post] {
                        let body = method == .post ? HTTPRequest.Body.data(Data(count: 3_000)) : .none
                        let request = HTTPRequest(method, server.baseURL, body: body, timeouts: HTTPRequest.Timeouts(total: .seconds(20)))
                        do {
                            outcomes.emit("\(try await response(environment, request).body.count)")
                        } catch is TransportError { outcomes.emit("error") }
                    }
                    try await Task.sleep(for: .seconds(1), clock: environment.clock)
                }
            }
            world.faults = .all(rate: .perMinute(10)).without(.kill, .expireCredentials)
            world.always(
                "a response is whole", outcomes.asObservable().map { ["5000", "4", "error", "10"].contains($0) })
            world.eventually("the next outcome follows", within: .seconds(60), after: outcomes, outcomes)
            try await world.run(for: .seconds(600))
        }
    }
}

extension HTTPResponse {
    fileprivate var text: String { String(decoding: body, as: UTF8.self) }
}
