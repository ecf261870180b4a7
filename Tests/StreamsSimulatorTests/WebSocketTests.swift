import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing
import WebSocketFrames

@testable import StreamsSimulator

@Suite("WebSockets in a simulation", .countsResources)
struct WebSocketTests {
    /// Runs a client of `route`, and returns what it emitted and the lines of the trace.
    private func run(
        _ route: LoopbackServer.Route, for duration: Duration = .seconds(60),
        during change: @escaping @Sendable (Simulation.World) -> Void = { _ in },
        _ client: @escaping @Sendable (Simulation.Environment, HTTPRequest) -> Observable<String>
    ) async throws -> (emitted: [String], trace: [String]) {
        let emitted = RecordedElements<String>()
        let trace = try await Simulation.replay(seed: 5) { world in
            emitted.removeAll()
            let server = world.server("chat", routes: [route])
            let output = world.stream("output", of: String.self)
            let recording = output.asObservable().subscribe(onNext: { emitted.append($0) })
            let request = HTTPRequest(.get, server.baseURL.appending(path: "chat"))
            world.process("phone", restartDelay: nil, running: { client($0, request).do(onNext: output.emit) })
            change(world)
            try await world.run(for: duration)
            recording.dispose()
        }
        return (emitted.elements, trace)
    }

    private static let echo = LoopbackServer.Route.webSocket("/chat") { _, messages in messages }

    @Test func `Messages go both ways, and closing completes`() async throws {
        let run = try await run(Self.echo) { _, request in
            WebSocketNode().stream(request).flatMap { connection in
                connection.send(.text("one"))
                connection.send(.text("two"))
                return connection.messages.do(onNext: { if $0 == .text("two") { connection.close() } })
            }
            .map { "\($0)" }.concat(Observable.just("completed"))
        }
        #expect(run.emitted == ["\(WebSocketMessage.text("one"))", "\(WebSocketMessage.text("two"))", "completed"])
    }

    @Test func `Pings keep an idle connection, and find one that hangs`() async throws {
        let hang: @Sendable (Simulation.World) -> Void = { world in
            world.network.schedule(after: .seconds(100)) {
                for socket in world.network.sockets(from: "chat") { socket.output.hang(by: FaultOccurrence(1, .hang)) }
            }
        }
        let run = try await run(Self.echo, for: .seconds(300), during: hang) { environment, request in
            WebSocketNode(keepAlive: .seconds(10)).stream(request).flatMap { $0.messages }.map { "\($0)" }
                .catch { error in
                    if case TransportError.timedOut(.idle, _, _) = error, environment.scheduler.now > .seconds(100) {
                        return .just("timed out")
                    }
                    throw error
                }
        }
        #expect(run.emitted == ["timed out"])
    }

    @Test func `A connection that is reset is made again`() async throws {
        let ticks = LoopbackServer.Route.webSocket("/chat") { request, _ in
            Observable.just(.text("welcome \(request.connection)")).concat(Observable.never())
        }
        let reset: @Sendable (Simulation.World) -> Void = { world in
            for time in [10, 20] {
                world.network.schedule(after: .seconds(Int64(time))) {
                    for socket in world.network.sockets(from: "phone") { world.network.reset(socket.output) }
                }
            }
        }
        let run = try await run(ticks, during: reset) { environment, request in
            WebSocketNode().messages(
                request, reconnecting: .exponential(initial: .seconds(1), maxAttempts: 10), scheduler: environment.scheduler
            )
            .map { "\($0)" }
        }
        #expect(run.emitted == (1...3).map { "\(WebSocketMessage.text("welcome \($0)"))" })
    }

    @Test func `The same seed draws the same keys`() async throws {
        let keys = RecordedElements<String>()
        for _ in 0..<2 {
            try await Simulation.replay(seed: 9) { world in
                let server = world.server("chat", routes: [Self.echo])
                world.process("phone", running: { _ in WebSocketNode().stream(HTTPRequest(.get, server.baseURL.appending(path: "chat"))) })
                try await world.run(for: .seconds(1))
                keys.append(server.recordedRequests[0].headers["Sec-WebSocket-Key"] ?? "")
            }
        }
        #expect(keys.elements.count == 4)
        #expect(Set(keys.elements).count == 1)
    }
}
