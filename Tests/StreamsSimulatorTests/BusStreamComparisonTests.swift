import Foundation
import NATSNodes
import StreamsTesting
import TestSupport
import Testing

@testable import StreamsSimulator

/// The elements of one scenario with streams: with the real server, and with the simulated one.
@Suite("The streams of a simulation beside the real server", .countsResources, .enabled(if: NATSServer.isInstalled))
struct BusStreamComparisonTests {
    private func compare(_ scenario: @escaping BusComparisonTests.Scenario) async throws {
        try await BusComparisonTests().compare(scenario)
    }

    /// Appends the error of `body`, if it throws one.
    private static func failing(_ lines: RecordedElements<String>, _ body: () async throws -> Void) async {
        do { try await body() } catch { lines.append("\(error)") }
    }

    private static func describe(_ info: NATSStream.Info) -> String {
        "\(info.state.messages) from \(info.state.firstSequence) to \(info.state.lastSequence), \(info.state.consumers) consumers"
    }

    @Test func `Messages are stored once, and replayed in order`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let stream = bus.stream("ORDERS")
            lines.append(Self.describe(try await stream.create().value))
            let numbers = Observable.from([1, 2, 2, 3, 1])
            for try await stored in numbers.store(in: stream, id: { "id \($0)" }).values { lines.append("\(stored)") }
            for try await message in stream.replay(completesAtEnd: true, as: Int.self).values {
                lines.append("\(message.sequence) \(message.body) \(message.message.headers.fields.map(\.name))")
            }
            for try await message in stream.replay(from: .sequence(3), completesAtEnd: true).values { lines.append("\(message.sequence)") }
            for try await message in stream.replay(from: .last, completesAtEnd: true).values { lines.append("last \(message.sequence)") }
            lines.append("\(try await stream.message(2).value.body.count) bytes")
            await Self.failing(lines) { _ = try await stream.message(9).value }
            await Self.failing(lines) { _ = try await bus.stream("NONE").info().value }
            lines.append("\(try await stream.info().value.state.messages)")
            return lines.elements
        }
    }

    @Test func `What is refused is delivered again, and what is acknowledged or terminated is not`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let stream = bus.stream("JOBS")
            _ = try await stream.create { $0.retention = .workQueue }.value
            for try await _ in Observable.from(["a", "b", "c"]).store(in: stream).values {}
            let work = stream.consume("worker", as: String.self) { $0.maximumInFlight = 1 }
            for try await delivery in work.values(overflow: .suspend(capacity: 1)) {
                lines.append("\(delivery.body) \(delivery.deliveries) \(delivery.sequence) \(delivery.pending)")
                switch (delivery.body, delivery.deliveries) {
                case ("a", 1): delivery.refuse()
                case ("b", _): delivery.terminate()
                default: try await delivery.acknowledgeConfirmed().value
                }
                if delivery.body == "c" { break }
            }
            try await bus.flush().value
            lines.append(Self.describe(try await stream.info().value))
            try await stream.deleteConsumer("worker").value
            await Self.failing(lines) { try await stream.deleteConsumer("worker").value }
            return lines.elements
        }
    }

    @Test func `A delivery without an acknowledgement is repeated after its time, as often as is allowed`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let stream = bus.stream("TRIES")
            _ = try await stream.create().value
            for try await _ in Observable.from(["a", "b"]).store(in: stream).values {}
            let work = stream.consume("worker", as: String.self) { configuration in
                configuration.acknowledgementWait = .milliseconds(300)
                configuration.maximumDeliveries = 2
            }
            var count = 0
            for try await delivery in work.values {
                lines.append("\(delivery.body) \(delivery.deliveries)")
                count += 1
                if count == 4 { break }
            }
            return lines.elements
        }
    }

    @Test func `Limits remove the oldest messages or refuse new ones`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let old = bus.stream("OLD")
            _ = try await old.create { $0.maximumMessages = 2 }.value
            for try await _ in Observable.from([1, 2, 3]).store(in: old).values {}
            lines.append(Self.describe(try await old.info().value))
            let new = bus.stream("NEW")
            _ = try await new.create { configuration in
                configuration.maximumMessages = 2
                configuration.discard = .new
            }.value
            await Self.failing(lines) {
                let stored = Observable.from([1, 2, 3]).store(in: new) {
                    $0.retry = .exponential(initial: .milliseconds(10), maxAttempts: 2)
                }
                for try await acknowledgement in stored.values { lines.append("\(acknowledgement.sequence)") }
            }
            try await new.deleteMessage(1).value
            lines.append(Self.describe(try await new.info().value))
            _ = try await new.purge().value
            lines.append(Self.describe(try await new.info().value))
            await Self.failing(lines) { _ = try await bus.stream("OTHER").create { $0.subjects = ["NEW"] }.value }
            lines.append(Self.describe(try await old.create { $0.maximumMessages = 1 }.value))
            try await new.delete().value
            await Self.failing(lines) { _ = try await new.info().value }
            return lines.elements
        }
    }

    @Test func `A bucket keeps values, revisions and removals`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let prices = bus.bucket("prices", of: Int.self)
            try await prices.create(history: 3).value
            lines.append("\(try await prices.put(1, "a").value) \(try await prices.put(2, "b").value)")
            await Self.failing(lines) { _ = try await prices.add(5, "a").value }
            lines.append("\(try await prices.replace("a", with: 3, revision: 1).value)")
            await Self.failing(lines) { _ = try await prices.replace("a", with: 4, revision: 1).value }
            try await prices.remove("b").value
            lines.append("\(try await prices.add(6, "b").value)")
            for try await entry in prices.history("b").values { lines.append("\(entry.revision) \(entry.operation)") }
            try await prices.remove("b", purging: true).value
            for try await entry in prices.history("b").values { lines.append("\(entry.revision) \(entry.operation)") }
            for try await entry in prices.all().values { lines.append("\(entry.key) \(entry.value ?? -1) \(entry.revision)") }
            lines.append("\(try await prices.get("a").value?.value ?? -1) \(try await prices.get("c").value?.value ?? -1)")
            for try await entry in prices.watch("a").take(1).values { lines.append("\(entry.key) \(entry.revision)") }
            return lines.elements
        }
    }

    @Test func `The only publisher of a stream stores in order`() async throws {
        try await compare { url in
            let (bus, lines) = (NATSConnection(url), RecordedElements<String>())
            let stream = bus.stream("ONLY")
            _ = try await stream.create().value
            let stored = Observable.from(Array(0..<50)).store(in: stream, id: { "\($0)" }) { $0.isOnlyPublisher = true }
            for try await acknowledgement in stored.values { lines.append("\(acknowledgement.sequence)") }
            return lines.elements
        }
    }
}
