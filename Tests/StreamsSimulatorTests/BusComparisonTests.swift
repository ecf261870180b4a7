import Foundation
import NATSNodes
import StreamsTesting
import TestSupport
import Testing

@testable import StreamsSimulator

/// The elements of the subscribers of one scenario: from the real server, and from the simulated one.
@Suite("The bus of a simulation beside the real server", .countsResources, .enabled(if: NATSServer.isInstalled))
struct BusComparisonTests {
    typealias Scenario = @Sendable (_ url: String) async throws -> [String]

    /// Runs a scenario on both servers, and expects that they do the same.
    func compare(_ scenario: @escaping Scenario) async throws {
        let server = try NATSServer(NATSServer.Options(hasJetStream: true))
        let real = try await scenario(server.url)
        let simulated = RecordedElements<[String]>()
        try await Simulation.replay(seed: 1) { world in
            simulated.append(try await scenario(world.bus("bus").url))
        }
        #expect(!real.isEmpty)
        #expect(simulated.elements == [real, real])
    }

    /// Subscribes, and records what it receives behind a name.
    private static func record(
        _ subject: String, queue: String? = nil, _ bus: NATSConnection, _ name: String, _ lines: RecordedElements<String>
    ) -> any Disposable {
        bus.messages(subject, queue: queue, as: String.self).subscribe(
            onNext: { message in
                let headers = message.headers.fields.map { " \($0.name)=\($0.value)" }.joined()
                lines.append("\(name) \(message.subject) \(message.body) \(message.reply ?? "-")\(headers)")
            }, onError: { lines.append("\(name) \($0)") }, onCompleted: { lines.append("\(name) completed") })
    }

    @Test func `Wildcards, headers and replies arrive alike`() async throws {
        try await compare { url in
            let (publisher, subscriber, lines) = (NATSConnection(url), NATSConnection(url), RecordedElements<String>())
            let subscriptions = ["a.*", "a.>", "a.b", ">", "*.b"].map { Self.record($0, subscriber, "[\($0)]", lines) }
            try await subscriber.flush().value
            for subject in ["a.b", "a.c", "a.b.c", "b", "c.b"] { try publisher.publish("to \(subject)", to: subject) }
            try publisher.publish("with headers", to: "a.b", headers: ["One": "1", "Two": "2"])
            try publisher.publish("", to: "a.b")
            try await publisher.flush().value
            try await subscriber.flush().value
            for subscription in subscriptions { subscription.dispose() }
            return lines.elements.sorted()
        }
    }

    @Test func `Each message reaches one member of a queue group`() async throws {
        try await compare { url in
            let (publisher, subscriber, lines) = (NATSConnection(url), NATSConnection(url), RecordedElements<String>())
            let members = ["workers", "workers", "others"].map { Self.record("jobs", queue: $0, subscriber, $0, lines) }
            try await subscriber.flush().value
            for number in 0..<20 { try publisher.publish("\(number)", to: "jobs") }
            try await publisher.flush().value
            try await subscriber.flush().value
            for member in members { member.dispose() }
            return lines.elements.sorted()
        }
    }

    @Test func `Requests are answered, by nobody, once and many times`() async throws {
        try await compare { url in
            let (client, service, lines) = (NATSConnection(url), NATSConnection(url), RecordedElements<String>())
            let serving = service.serve("count", as: Int.self) { count -> Observable<Int> in
                guard count >= 0 else { throw NATSError.invalidName("", reason: "") }
                return Observable.from(Array(0..<count))
            }.subscribe(onError: { lines.append("\($0)") })
            try await service.flush().value
            let all = NATSRequestNode<Int, Int>(client, "count", answers: .all)
            for try await answer in all.stream(3).values { lines.append("all \(answer)") }
            for try await answer in NATSRequestNode<Int, Int>(client, "count").stream(2).values { lines.append("first \(answer)") }
            do { _ = try await NATSRequestNode<Int, Int>(client, "nobody").stream(1).asSingle().value } catch { lines.append("\(error)") }
            do { _ = try await NATSRequestNode<Int, Int>(client, "count").stream(-1).asSingle().value } catch { lines.append("\(error)") }
            serving.dispose()
            return lines.elements
        }
    }

    @Test func `Own messages are left out where that is asked for, and draining completes the streams`() async throws {
        try await compare { url in
            var configuration = NATSConnection.Configuration()
            configuration.receivesOwnMessages = false
            let (bus, other, lines) = (NATSConnection(url, configuration: configuration), NATSConnection(url), RecordedElements<String>())
            let subscription = Self.record("news", bus, "news", lines)
            try await bus.flush().value
            try bus.publish("own", to: "news")
            try await bus.flush().value
            try other.publish("foreign", to: "news")
            try await other.flush().value
            try await bus.drain().value
            subscription.dispose()
            return lines.elements
        }
    }

    @Test func `A message that is too large is refused with the same limit`() async throws {
        try await compare { url in
            let bus = NATSConnection(url)
            try await bus.flush().value
            do { try bus.publish(Data(count: 2 << 20), to: "large") } catch { return ["\(error)"] }
            return []
        }
    }
}
