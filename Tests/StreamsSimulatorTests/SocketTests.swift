import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

@testable import StreamsSimulator

@Suite("Sockets in a simulation", .countsResources)
struct SocketTests {
    private static let routes: [LoopbackServer.Route] = [
        .get("/price") { _ in .text("42") }, .get("/much") { _ in .generated(bytes: 1_000_000) },
    ]

    private static func request(_ path: String) -> Data { Data("GET \(path) HTTP/1.1\r\nHost: prices\r\nConnection: close\r\n\r\n".utf8) }

    private static func endpoint(_ host: String) -> SocketConnection.Endpoint { SocketConnection.Endpoint(host: host, port: 7_000) }

    /// Runs `body` as a process beside the server `prices`, and returns what it emitted.
    private func run(
        for duration: Duration = .seconds(60), during change: @escaping @Sendable (Simulation.World) -> Void = { _ in },
        _ body: @escaping @Sendable (Simulation.Environment, Simulation.Stream<String>) -> Observable<String>
    ) async throws -> [String] {
        let emitted = RecordedElements<String>()
        try await Simulation.replay(seed: 3) { world in
            _ = world.server("prices", routes: Self.routes)
            let output = world.stream("output", of: String.self)
            emitted.removeAll()
            let recording = output.asObservable().subscribe(onNext: { emitted.append($0) })
            world.process("shop", restartDelay: nil, running: { environment in body(environment, output).do(onNext: output.emit) })
            change(world)
            try await world.run(for: duration)
            recording.dispose()
        }
        return emitted.elements
    }

    @Test func `A socket sends to a server of the simulation and receives until that closes`() async throws {
        let lines = try await run { _, _ in
            SocketNode().stream(Self.endpoint("prices")).flatMap { connection in
                connection.send(Self.request("/price"))
                return connection.received
            }
            .reduce(Data(), accumulator: { $0 + $1 }).map { String(decoding: $0, as: UTF8.self).hasSuffix("42") ? "42" : "other" }.concat(
                Observable.just("closed"))
        }
        #expect(lines == ["42", "closed"])
    }

    @Test func `A name that no server has is not found`() async throws {
        let lines = try await run { _, _ in
            SocketNode().stream(Self.endpoint("nowhere")).map { _ in "" }.catch { .just("\($0 as? TransportError ?? .noResponse)") }
        }
        #expect(lines == ["\(TransportError.cannotFindHost("nowhere", url: "tcp://nowhere:7000"))"])
    }

    @Test func `A server that refuses connections cannot be connected to`() async throws {
        let lines = try await run(during: { $0.servers[0].refuse(for: .seconds(10), by: nil) }) { _, _ in
            SocketNode().stream(Self.endpoint("prices")).map { _ in "" }.catch { .just("\($0 as? TransportError ?? .noResponse)") }
        }
        #expect(lines == ["\(TransportError.cannotConnect(url: "tcp://prices:7000", reason: "Connection refused"))"])
    }

    @Test func `A connection behind a partition is not made within the connect timeout`() async throws {
        let lines = try await run(during: { $0.partition("shop", "prices", for: .seconds(50)) }) { environment, _ in
            SocketNode(timeouts: HTTPRequest.Timeouts(connect: .seconds(4))).stream(Self.endpoint("prices")).map { _ in "" }
                .catch { .just("\($0 as? TransportError ?? .noResponse) at \(environment.scheduler.now.displayText)") }
        }
        let error = TransportError.timedOut(.connect, after: .seconds(4), url: "tcp://prices:7000")
        #expect(lines == ["\(error) at \(Duration.seconds(4).displayText)"])
    }

    @Test func `A connection that is reset fails its input`() async throws {
        let reset: @Sendable (Simulation.World) -> Void = { world in
            world.network.schedule(after: .seconds(2)) {
                for socket in world.network.sockets(from: "shop") { world.network.reset(socket.output) }
            }
        }
        let lines = try await run(during: reset) { environment, _ in
            SocketNode().stream(Self.endpoint("prices")).flatMap { $0.received }.map { _ in "" }
                .catch { .just("\($0 as? TransportError ?? .noResponse) at \(environment.scheduler.now.displayText)") }
        }
        #expect(lines == ["\(TransportError.connectionLost(url: "tcp://prices:7000", reason: "it was reset")) at 2 s"])
    }

    @Test func `A suspended subscriber reads nothing, so that the server waits`() async throws {
        let unread = RecordedElements<Bool>()
        let look: @Sendable (Simulation.World) -> Void = { world in
            unread.removeAll()
            world.network.schedule(after: .seconds(8)) {
                unread.append(world.network.sockets(from: "prices").contains { $0.output.room < 1_460 })
            }
        }
        let lines = try await run(for: .seconds(600), during: look) { environment, output in
            .fromAsync {
                var size = 0
                for try await connection in SocketNode().stream(Self.endpoint("prices")).values {
                    connection.send(Self.request("/much"))
                    for try await piece in connection.received.values(overflow: .suspend(capacity: 1)) {
                        size += piece.count
                        try await Task.sleep(for: .seconds(5), clock: environment.clock)
                    }
                }
                return size > 1_000_000 ? "all" : "\(size)"
            }
        }
        #expect(unread.elements == [true])
        #expect(lines == ["all"])
    }

    @Test func `A process that is killed leaves no socket`() async throws {
        let sockets = RecordedElements<Int>()
        try await Simulation.replay(seed: 4) { world in
            sockets.removeAll()
            _ = world.server("prices", routes: Self.routes)
            let shop = world.process("shop", running: { _ in SocketNode().stream(Self.endpoint("prices")).flatMap { $0.received } })
            try await world.run(for: .seconds(1))
            sockets.append(world.network.sockets(from: "shop").count)
            shop.kill(restartAfter: nil)
            try await world.run(for: .seconds(1))
            sockets.append(world.network.sockets(from: "shop").count + world.network.sockets(from: "prices").count)
        }
        #expect(sockets.elements == [1, 0])
    }
}
